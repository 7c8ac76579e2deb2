import ts from 'typescript';
import { expect, test } from 'vitest';
import { searchedLists } from './lists-in-lists.ts';

/** The reason why the scanned list is short, by finding. */
const BOUNDED: Readonly<Record<string, string>> = {
  'server/config.ts: set.includes': 'the settings of one kind',
  'server/plumbing/common/parse-lenient.ts: required.includes': 'the fields of a schema',
  'server/plumbing/database/change-capture.ts: following.includes': 'the columns of a table',
  'server/plumbing/database/change-capture.ts: key.includes': 'the columns of a table',
  'server/plumbing/http/request.ts: merged.findLastIndex': 'what it passes is taken off',
  'server/plumbing/upstream/bnf.ts: names.includes': 'the names that a line of source gives',
  'server/subjects/auteurs/merging.ts: people.findIndex':
    'each but the last has a refused merge with each other one',
  'server/subjects/importations/encodings.ts: weights.find': 'the ranges of a script',
  'server/subjects/livres/details.ts: details.find': 'the details of a book',
  'server/subjects/importations/lectures.ts: slotsOf(…).includes': 'the slots of a reading',
  'server/subjects/auteurs/suggestions.ts: left.indexOf': 'the words of a name',
  'server/subjects/importations/matching.ts: b.series.some': 'the series of a row',
  'server/subjects/importations/matching.ts: other.#parsed.some': 'the authors of a row',
  'server/subjects/modifications/inverse.ts: columns.includes': 'the columns of a table',
  'server/subjects/modifications/inverse.ts: left.some':
    'each step is parked once, and only then found',
  'server/subjects/modifications/inverse.ts: uniques.some': 'the indexes of a table',
  'server/subjects/modifications/later-modifications.ts: this.#ids.includes':
    'the acts of one import',
  'server/subjects/modifications/sentences.ts: this.#recordsOf(…).some': 'the links of a table',
  'server/subjects/modifications/undo.ts: records.database.capture.foreignKeysOf(…).filter(…).map(…).find':
    'the links of a table',
  'shared/candidats.ts: editions.findIndex': 'the records that the catalogues may answer',
  'shared/catalogue.ts: last.words.includes': 'the words of a search',
  'shared/catalogue.ts: words.some': 'the words of a search',
  'shared/doublons.ts: b.auteurs.includes': 'the authors of a book',
  'shared/emplacement-tree.ts: this.path(…).some': 'the levels of the tree',
  'shared/emplacement-tree.ts: words.some': 'the words of a search',
  'shared/series-fit.ts: volume.auteurs.includes': 'the authors of a book',
  'src/lib/lectures/owned.ts: known.some': 'the words of the names of a book',
  'src/lib/livres/add/scan-session-item.ts: kinds.includes':
    'the kinds that a line of source gives',
  'src/lib/livres/add/livre-question.svelte.ts: kept.includes': 'the fields of a form',
  'src/lib/livres/catalogue/exemplaires.ts: byKey.get(…)?.find': 'the editions of one title',
  'src/lib/livres/catalogue/found-detail.ts: words.some': 'the words of a search',
  'src/lib/revues/matching-line.ts: words.some': 'the words of a search',
  'src/lib/sync/orphans.ts: begins.some': 'the kinds of what is left',
  'src/lib/ui/form/text-entry.svelte.ts: kept.includes': 'the fields of a form',
  'src/lib/ui/translation.ts: gaps.findLast': 'what one step of a translation takes out',
};

test.each([
  ['server/tsconfig.json', /^(?:server|shared)\//],
  ['tsconfig.json', /^src\/(?!lib\/paraglide\/)/],
])('no list that may be long is searched for each element of another: %s', (config, own) => {
  const found = searchedLists(programOf(config), (path) => own.test(path));
  const allowed = Object.keys(BOUNDED).filter((path) => own.test(path));
  expect(allowed.length).toBeGreaterThan(3);
  expect([...new Set(found)].sort()).toEqual(allowed.sort());
});

function programOf(config: string): ts.Program {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const read = ts.getParsedCommandLineOfConfigFile(config, { noEmit: true }, host);
  expect(read?.errors).toEqual([]);
  return ts.createProgram(read?.fileNames ?? [], read?.options ?? {});
}

/** Function bodies, each with its findings. */
const BODIES = {
  'a callback': ['return a.filter((one) => b?.includes(one));', 'b?.includes'],
  'a loop': ['for (const one of a) if (b!.indexOf(one) > 0) return;', 'b!.indexOf'],
  'a search': ['return a.find((one) => a.some((two) => two > one));', 'a.some'],
  'a function inside': [
    'for (const one of a) { const at = () => a.indexOf(one); at(); }',
    'a.indexOf',
  ],
  'a while': ["while (a.pop()) a.includes('x');", 'a.includes'],
  'a part of the element': ["return c.filter(({ d }) => d.includes('x'));"],
  'a constant': ['return a.filter((one) => FIXED.includes(one));'],
  'the elements of a constant': ['return FIXED.filter((one) => a.includes(one));'],
  'a text': ["return a.filter((one) => one.includes('x'));"],
  'a set': ['const all = new Set(b); return a.filter((one) => all.has(one));'],
  once: ["return a.includes('x');"],
} as const;

test('a list searched in a loop is seen, and nothing else', () => {
  const sources = new Map(
    Object.entries(BODIES).map(([name, [body]]) => [
      `server/${name}.ts`,
      `const FIXED = ['x', 'y'];
       export function f(a: string[], b: readonly string[] | null, c: { d: string[] }[]) { ${body} }`,
    ]),
  );
  const options = { strict: true, target: ts.ScriptTarget.ES2024, noEmit: true };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    const text = sources.get(name);
    return text === undefined
      ? readSource(name, ...rest)
      : ts.createSourceFile(name, text, ts.ScriptTarget.ES2024, true);
  };
  const program = ts.createProgram([...sources.keys()], options, host);
  expect(searchedLists(program, (path) => sources.has(path))).toEqual(
    Object.entries(BODIES).flatMap(([name, [, found]]) =>
      found === undefined ? [] : [`server/${name}.ts: ${found}`],
    ),
  );
});
