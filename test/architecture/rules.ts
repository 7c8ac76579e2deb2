import { readdirSync } from 'node:fs';
import ts from 'typescript';
import type { Module } from './modules.ts';

/** A module boundary (docs/architecture.md): the modules that it applies to, and what they must not do. */
interface Rule {
  readonly name: string;
  readonly stands: (path: string) => boolean;
  readonly breach: (module: Module) => readonly string[];
}

const within = (...folders: string[]) => {
  return (path: string) => folders.some((folder) => path.startsWith(folder));
};

const not = (test: (path: string) => boolean) => (path: string) => !test(path);

const importing = (forbidden: (path: string, from: string) => boolean) => (module: Module) =>
  module.imports.filter((path) => forbidden(path, module.path));

/** The server's module of a file, such as `server/subjects/prets`. */
const roomOf = (path: string) => path.replace(/\.ts$/, '').split('/').slice(0, 3).join('/');

/** The locations that a source may have; docs/architecture.md describes them. */
const PLACES = [
  /^shared\/[\w-]+\.ts$/,
  /^server\/(?:main|service|app|config)\.ts$/,
  /^server\/start\/[\w-]+\.ts$/,
  /^server\/plumbing\/(?:paths|(?:common|database|http|records|sync|upstream|writes)\/.+)\.ts$/,
  /^server\/subjects\/[\w-]+(?:\/[\w-]+){0,3}\.ts$/,
  /^src\/(?:app\.d|hooks\.client)\.ts$/,
  /^src\/service-worker\/[\w-]+\.ts$/,
  /^src\/atelier\/[\w-]+\.(?:ts|svelte)$/,
  /^src\/lib\/(?:ui|sync|api|format|frame)\/.+\.(?:ts|svelte)$/,
  /^src\/lib\/[\w-]+\/.+\.(?:ts|svelte)$/,
  /^src\/routes\/(?:[^/]+\/)*\+(?:page|layout|error)\.(?:svelte|ts)$/,
];

/**
 * Module-level state of a subject: a variable, a rune, an empty collection or an instance. A `Selection` is excepted,
 * since it knows its reader.
 */
const REMEMBERS =
  /^(?:export )?(?:const|let) \w+[^=\n]*= (?:new (?!(?:Svelte)?(?:Set|Map)(?:<[^\n]*>)?\([^)]|(?:Intl|RegExp|WeakMap|DeviceSetting|RememberedChoice|HouseholdNote|Selection)\b)|\$state\b)|^(?:export )?let \w+/gm;

/** A call whose promise is discarded by `void`. */
const LEFT_ALONE = /(?<=^\s*(?:(?:if \(.*\)|else) )?)(?<!=>\s+)void [\w.#?]+\(/gm;

const MAY_REMEMBER = [
  // Functions of the names that their values are stored under.
  'couvertures/jacket/',
  'livres/print/CataloguePrint.svelte',
  'records/auteurs/view.svelte.ts',
  // Stored per reader and household, or per household only.
  'couvertures/unsent.svelte.ts',
  'emplacements/recolement.svelte.ts',
  'emplacements/shelving.svelte.ts',
  'livres/add/scan-session.svelte.ts',
  'records/souhaits/waiting.svelte.ts',
  // Nothing personal.
  'auteurs/FusionSuggestions.svelte',
  'livres/catalogue/ChezNous.svelte',
  'livres/cover-transition.ts',
  'records/series/kind.svelte.ts',
  'scanner/decoder.ts',
  'scanner/scan-list.svelte.ts',
].map((path) => `src/lib/${path}`);

const READS_REVISIONS = ['src/lib/records/rewrite.ts', 'src/lib/ui/conflict/conflict.svelte.ts'];

/** The client's modules without a subject. */
const PLUMBING = ['api', 'format', 'frame', 'paraglide', 'sync', 'ui'];

/** The code that a component runs once per module, without its indentation. */
const moduleScript = (component: string): string =>
  /<script\b[^>]*\bmodule\b[^>]*>(.*?)<\/script>/s
    .exec(component)?.[1]
    ?.replaceAll(/^ {2}/gm, '') ?? '';

/** The client's module of a subject's file; `undefined` for plumbing and routes. */
const subjectRoom = (path: string) => {
  const name = /^src\/lib\/([\w-]+)\//.exec(path)?.[1];
  return name === undefined || PLUMBING.includes(name) ? undefined : name;
};
/** A statement that writes rows of a table, or a call that creates one. */
const WRITES =
  /(?:\b(?:INSERT(?: OR \w+)? INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+|\b(?:insertRow|updateRows?)\(\s*\w+,\s*')([A-Z][a-z]\w*)/g;
/** The function that mounts a subject's endpoints. */
const ROUTES = /^export (?:const|function) routes\b/m;
const ROUTES_IMPORTED = /\bimport\s*\{[^}]*\broutes\b[^}]*\}\s*from\s*'([^']+)'/g;
const REQUESTS = /\b(?:fetch|EventSource|XMLHttpRequest|WebSocket|sendBeacon)\b/;

/** Fastify's signal, as a property or destructured. */
const REQUEST_SIGNAL =
  /\brequest\??\.signal\b|\{[^{}]*\bsignal\b[^{}]*\}\s*=\s*(?:\w+\.)?request\b/g;

/** APIs that a browser of docs/running.md's list may lack; `lib` of tsconfig restricts the language itself. */
const TOO_NEW =
  /\bURL\.parse\(|\bReadableStream\.from\(|\bCloseWatcher\b|\.(?:requestClose|moveBefore|getHTML|setHTML\w*|caretPositionFromPoint|bytes)\(|\b(?:closedby|commandfor|interestfor|onscrollend)=/g;

/** APIs that a browser may lack, or whose getter may throw, so that `in` is no sufficient check. */
const PARTS = /\bnavigator\.(?:locks|mediaDevices|serviceWorker|storage)\b/g;

/** The modules that know when the screen changes; a flag elsewhere would duplicate that. */
const KNOWS_THE_SCREEN = [
  'action.svelte.ts',
  'focus.ts',
  'form/form.svelte.ts',
  'take-focus.ts',
  'this-screen.ts',
].map((name) => `src/lib/ui/${name}`);
const STILL_HERE =
  /\bthisScreen\b|\bisLeft\b|\bonDestroy\(\(\) => (?:\(|\{[^}]*?)\w+ = (?:true|false)\b/g;

/** Calls of which forms, drafts, conflicts and sheets take care once; a screen must not repeat them. */
const DONE_ONCE =
  /\b(?:focusError|keepDraft|openConflict|new (?:Conflict|Draft))\(|\.showModal\(|\bm\.conflict_/g;
const SHEET = /<dialog\b/g;
const DOES_IT = [
  'src/lib/ui/take-focus.ts',
  'src/lib/ui/conflict/',
  'src/lib/ui/controls/Dialog.svelte',
  'src/lib/ui/form/',
  // The sheet of « Plus » is part of the bar, and is in the page before it is opened.
  'src/lib/frame/TabBar.svelte',
];

/**
 * `disabled` on a native control drops the focus, and with it the next keys; so does disabling a control during its
 * own request.
 */
const DISABLED_BY_HAND =
  /<(?:button|fieldset|input|select|textarea)\b(?:[^<>]|=>)*?\s(?:disabled=\{[^}]*\}|\{disabled\})|\bdisabled(?:ReasonId)?=\{[^}]*\b(?:pending|isBusy|isSending)\b[^}]*\}/g;

/**
 * Calls of `focus()`. `src/lib/ui` moves the focus (`moveFocus`, `takeFocus`, `takeLostFocus`, `Form.to`), and knows
 * whether the reader is still here.
 */
const FOCUSES = /\.focus\(/g;
const MAY_FOCUS = [
  'src/lib/ui/',
  // Keyboard shortcuts and the bar are on every screen, and outlive it.
  'src/lib/frame/',
  // A phone opens its keyboard only if the field is focused during the press.
  'src/lib/scanner/ScanList.svelte',
  // `take-focus.ts` is not part of the first load.
  'src/lib/livres/catalogue/CatalogueHead.svelte',
];

/** `{#each}` keyed by a text that people write: Svelte throws at the second one with the same text. */
const KEYED_BY_WORDS =
  /\{#each (?:[^{}\n]|\{[^{}\n]*\})*\((?:\w+\.)?(?:code|heading|label|nom|one|raison|text|theme|titre|token)\)\}/g;

/** The schema engine, which would add 11 kB to a device's first load (shared/fields.ts). */
const TYPE_ENGINE =
  /\bType\.(?:Omit|Pick|Partial|Required|Interface|Intersect|Evaluate|Index|KeyOf|Mapped|Record)\(/g;

/** The folders of the screens. */
const SCREENS = readdirSync('src/routes').filter((name) => /^[a-z]/.test(name));

/** A quoted address of a screen without `href`; an address with a parameter in brackets is a route. */
const LITERAL_LINK = new RegExp(
  `(?<!\\bhref\\()["'\`]/(?:(?:${SCREENS.join('|')})\\b(?![^"'\`]*\\[)|[?{])[^"'\`\\n]*` +
    `|(?:href=|href: |goto\\(|exit\\()\\{?["'\`]/["'\`]`,
  'g',
);

export const rules: readonly Rule[] = [
  {
    name: 'every file has a place',
    stands: within('src/', 'shared/', 'server/'),
    breach: ({ path }) => (PLACES.some((place) => place.test(path)) ? [] : ['stands nowhere']),
  },
  {
    name: 'src/lib/ui and src/lib/frame know no subject',
    stands: within('src/lib/ui/', 'src/lib/frame/'),
    breach: importing((path) => subjectRoom(path) !== undefined),
  },
  {
    name: 'src/lib/records knows no screen',
    stands: within('src/lib/records/'),
    breach: importing((path) => ![undefined, 'records'].includes(subjectRoom(path))),
  },
  {
    name: 'src and server know each other by shared alone',
    stands: within('src/', 'server/'),
    breach: importing((path, from) =>
      within('server/', 'src/', 'test/', 'scripts/', 'bench/', 'demo/')(path)
        ? path.split('/')[0] !== from.split('/')[0]
        : false,
    ),
  },
  {
    name: 'shared is pure: typebox and itself',
    stands: within('shared/'),
    // Both programs use the messages, wherever Paraglide writes them.
    breach: importing(
      (path) => !path.startsWith('shared/') && !['typebox', 'messages'].includes(path),
    ),
  },
  {
    name: 'shapes are composed without the type engine of TypeBox',
    stands: within('shared/'),
    breach: ({ source }) => source.match(TYPE_ENGINE) ?? [],
  },
  {
    name: 'routes of a subject stand last in its file',
    stands: within('server/subjects/'),
    breach: ({ source }) => {
      const at = source.search(ROUTES);
      return at < 0 ? [] : (source.slice(at + 1).match(/^export .*$/gm) ?? []);
    },
  },
  {
    name: 'only the app mounts routes',
    stands: (path) => path.startsWith('server/') && path !== 'server/app.ts',
    breach: ({ path, source }) =>
      Array.from(source.matchAll(ROUTES_IMPORTED), ([, from = '']) => from).filter(
        (from) => from.startsWith('#server/') && roomOf(from.slice(1)) !== roomOf(path),
      ),
  },
  {
    name: 'better-sqlite3 in database only',
    stands: not(within('server/plumbing/database/')),
    breach: importing((path) => path === 'better-sqlite3'),
  },
  {
    name: 'a function that takes a Reader writes nothing',
    stands: within('server/'),
    breach: ({ source }) => writingReaders(source),
  },
  {
    name: 'sharp in the process that decodes only',
    stands: (path) =>
      path.startsWith('server/') && path !== 'server/subjects/couvertures/decoder-process.ts',
    breach: importing((path, from) => {
      const decoding = 'server/subjects/couvertures/decoding.ts';
      return path === decoding || (path === 'sharp' && from !== decoding);
    }),
  },
  {
    // The signal belongs to the request's body: once the body is read, it does not report a closed connection.
    name: 'who waits for an answer is known by whileAwaited of http/request.ts, not by request.signal',
    stands: within('server/'),
    breach: ({ source }) => source.match(REQUEST_SIGNAL) ?? [],
  },
  {
    name: 'upstream is called by subjects only',
    // The context opens the catalogues, so that all requests share one limit.
    stands: (path) =>
      !within('server/plumbing/upstream/', 'server/subjects/')(path) &&
      path !== 'server/start/context.ts',
    breach: importing((path) => path.startsWith('server/plumbing/upstream/')),
  },
  {
    // `normalize` is quadratic in a run of combining marks, unless the run is limited first.
    name: 'texts are normalised in shared/text.ts only',
    stands: (path) => path !== 'shared/text.ts',
    breach: ({ source }) => source.match(/\.normalize\(/gu) ?? [],
  },
  {
    name: 'rxdb and dexie in src/lib/sync only',
    stands: not(within('src/lib/sync/')),
    breach: importing((path) => ['rxdb', 'dexie', 'rxjs'].includes(path)),
  },
  {
    name: 'a record and its revision are read together, by src/lib/records/rewrite.ts, or by the conflict of a form',
    stands: (path) => within('src/')(path) && !within('src/lib/sync/', ...READS_REVISIONS)(path),
    breach: ({ source }) => source.match(/\.revisionOf\b/g) ?? [],
  },
  {
    name: 'what a module remembers is made by perIdentity of src/lib/sync/identity.svelte.ts',
    stands: (path) =>
      (subjectRoom(path) !== undefined || path.startsWith('src/routes/')) &&
      !within(...MAY_REMEMBER)(path),
    breach: ({ path, text, source }) =>
      (path.endsWith('.svelte') ? moduleScript(text) : source).match(REMEMBERS) ?? [],
  },
  {
    // The linter checks promises in modules, but does not read components.
    name: 'work that nobody waits for is handed to unawaited of src/lib/sync/report.ts',
    stands: (path) => path.endsWith('.svelte') && path.startsWith('src/'),
    breach: ({ source }) => source.match(LEFT_ALONE) ?? [],
  },
  {
    name: 'the API is asked in src/lib/api only',
    stands: (path) => path.startsWith('src/') && !/^src\/(lib\/api\/|service-worker)/.test(path),
    breach: ({ source }) => identifiers(source, REQUESTS),
  },
  {
    name: 'nothing of the application is made of its workshop',
    stands: (path) => path.startsWith('src/') && !path.startsWith('src/atelier/'),
    breach: importing((path) => path.startsWith('src/atelier/')),
  },
  {
    name: 'links are made by src/lib/format/address.ts',
    // The destinations and their counts are named by path, screens by route.
    stands: (path) =>
      path.startsWith('src/') &&
      !['destinations.ts', 'screens.ts'].some((name) => path === `src/lib/frame/${name}`) &&
      path !== 'src/routes/+layout.svelte',
    breach: ({ text }) => text.match(LITERAL_LINK) ?? [],
  },
  {
    name: 'screens ask no more of a browser than docs/running.md says',
    stands: within('src/', 'shared/'),
    breach: ({ source }) => source.match(TOO_NEW) ?? [],
  },
  {
    name: 'what an answer leads to is handed to Action, or to whileHere of src/lib/ui/this-screen.ts',
    stands: within('src/'),
    breach: ({ source }) => lateNavigations(source),
  },
  {
    name: 'whether somebody is still here is known to Action and whileHere',
    stands: (path) => within('src/')(path) && !KNOWS_THE_SCREEN.includes(path),
    breach: ({ source }) => source.match(STILL_HERE) ?? [],
  },
  {
    name: 'forms, drafts, conflicts and sheets are those of src/lib/ui',
    stands: (path) => within('src/')(path) && !within(...DOES_IT)(path),
    breach: ({ source, text }) => [
      ...(source.match(DONE_ONCE) ?? []),
      ...(text.match(SHEET) ?? []),
    ],
  },
  {
    name: 'the focus is led by src/lib/ui',
    stands: (path) => within('src/')(path) && !within(...MAY_FOCUS)(path),
    breach: ({ source }) => source.match(FOCUSES) ?? [],
  },
  {
    // Forcing a theme rewrites the rules once, and misses style sheets that are loaded later.
    name: 'what is dark is said in src/styles',
    stands: (path) => path.startsWith('src/') && path.endsWith('.svelte'),
    breach: ({ text }) => text.match(/prefers-color-scheme/g) ?? [],
  },
  {
    name: 'a control is disabled by disableWithReason, which leaves it the focus',
    stands: within('src/'),
    breach: ({ text }) => text.match(DISABLED_BY_HAND) ?? [],
  },
  {
    name: 'what a browser may lack or refuse is asked for by browserPart of src/lib/sync/this-device.ts',
    stands: within('src/'),
    breach: ({ source }) => source.match(PARTS) ?? [],
  },
  {
    name: 'no list is keyed by words, which may stand in it twice',
    stands: within('src/'),
    breach: ({ text }) => text.match(KEYED_BY_WORDS) ?? [],
  },
  {
    name: 'the environment is read in server/config.ts only',
    stands: (path) => path !== 'server/config.ts',
    breach: ({ source }) => environmentReads(source),
  },
];

/** All violations of all rules, one line each. */
export function breaches(modules: readonly Module[]): string[] {
  return rules.flatMap(({ name, stands, breach }) =>
    modules
      .filter(({ path }) => stands(path))
      .flatMap((module) => breach(module).map((what) => `${module.path}: ${what} (${name})`)),
  );
}

/**
 * A book's location is written by the locations' module, which a book's rules need: the other way would be a cycle.
 */
const LENT = /UPDATE Livre SET emplacementId\b/g;

/** Tables that two modules of the server write, each with its modules; plumbing counts as one. */
export function sharedTables(modules: readonly Module[]): string[] {
  const writers = new Map<string, Set<string>>();
  for (const { path, source } of modules.filter(({ path }) => path.startsWith('server/'))) {
    const room = path.startsWith('server/plumbing/') ? 'server/plumbing' : roomOf(path);
    for (const [, table = ''] of source.replace(LENT, '').matchAll(WRITES))
      writers.set(table, (writers.get(table) ?? new Set()).add(room));
  }
  return [...writers]
    .filter(([, rooms]) => rooms.size > 1)
    .map(([table, rooms]) => `${table}: ${[...rooms].sort().join(', ')}`);
}

/** The syntax nodes of a source that contains such a word, otherwise none: parsing all sources takes a second. */
function nodes(source: string, words: RegExp): ts.Node[] {
  if (!words.test(source)) return [];
  const all: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    all.push(node);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile('module.ts', source, ts.ScriptTarget.Latest, true));
  return all;
}

const identifiers = (source: string, words: RegExp) =>
  nodes(source, words)
    .filter((node) => ts.isIdentifier(node))
    .map(({ text }) => text)
    .filter((text) => words.test(text));

/** Write statements in functions whose parameter is a read-only `Reader`. */
const writingReaders = (source: string) =>
  nodes(source, /: Reader\b/)
    .filter((node) => ts.isFunctionLike(node))
    .filter(({ parameters }) => parameters.some(({ type }) => type?.getText() === 'Reader'))
    .flatMap((node) => node.getText().match(WRITES) ?? []);

/** Calls that navigate to another screen or state. */
const NAVIGATIONS = ['goto', 'exit', 'updateUrl', 'location.assign', 'history.back'];

const navigationsIn = (those: readonly ts.Node[]) =>
  those
    .filter((each) => ts.isCallExpression(each))
    .filter(({ expression }) => NAVIGATIONS.includes(expression.getText()));

/** Navigations after an `await` of the same function, including one in their arguments, or in a `then`. */
const lateNavigations = (source: string) =>
  nodes(source, /\bawait\b|\.then\(/).flatMap((node) => {
    if (ts.isCallExpression(node) && /\.(?:then|finally)$/.test(node.expression.getText()))
      return navigationsIn(node.arguments.flatMap(allNodes)).map((each) => each.getText());
    if (!ts.isFunctionLike(node)) return [];
    const own = ownNodes(node);
    const answers = own.filter((each) => ts.isAwaitExpression(each));
    return navigationsIn(own)
      .filter((each) =>
        answers.some(
          (answer) => answer.end <= each.end && !ownNodes(answer).some((inside) => inside === each),
        ),
      )
      .map((each) => each.getText());
  });

/** Whether a module of the client navigates after a response. */
export const leadsOn = ({ path, source }: Module): boolean =>
  path.startsWith('src/') &&
  !KNOWS_THE_SCREEN.includes(path) &&
  nodes(source, /\bwhileHere\(|\.run\(|\bform\.(?:send|submit)\(/)
    .filter((node) => ts.isCallExpression(node))
    .some(
      ({ expression, arguments: given }) =>
        expression.getText() === 'whileHere' ||
        (/\.run$|\bform\.(?:send|submit)$/.test(expression.getText()) && given.length > 1),
    );

function allNodes(outer: ts.Node): ts.Node[] {
  const all = [outer];
  outer.forEachChild((node) => void all.push(...allNodes(node)));
  return all;
}

/** The nodes of a function, without those of nested functions. */
function ownNodes(outer: ts.Node): ts.Node[] {
  const own: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node)) return;
    own.push(node);
    node.forEachChild(visit);
  };
  outer.forEachChild(visit);
  return own;
}

/** Reads of `process.env`; passing the whole object, as the start does, is allowed. */
const environmentReads = (source: string) =>
  nodes(source, /process\.env/)
    .filter((node) => ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    .filter(({ expression }) => /^process\.env$/.test(expression.getText()))
    .map((node) => node.getText());
