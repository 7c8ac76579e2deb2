import ts from 'typescript';
import { expect, test } from 'vitest';
import { unsafeLookups } from './names-of-objects.ts';

/** The modules that read foreign files and catalogues. */
const READ_FOREIGN =
  /^server\/(?:subjects\/importations|plumbing\/(?:common|upstream))\/|^shared\/object-keys\.ts$/;

test('no name of a file or a catalogue is looked up in a plain object', () => {
  const { config } = ts.readConfigFile('server/tsconfig.json', (path) => ts.sys.readFile(path)) as {
    readonly config?: unknown;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, 'server');
  const program = ts.createProgram(fileNames, options);
  expect(unsafeLookups(program, (path) => READ_FOREIGN.test(path))).toEqual([]);
});

/** Function bodies, each with its finding. */
const BODIES: Readonly<Record<string, readonly [body: string, found?: string]>> = {
  plain: ['return KNOWN[name];', 'KNOWN[name]'],
  optional: ['return maybe?.[name];', 'maybe?.[name]'],
  asked: ['return name in KNOWN;', 'name in KNOWN'],
  reflected: ['return Reflect.get(KNOWN, name);', 'Reflect.get(KNOWN, name)'],
  elsewhere: ['Object.hasOwn(OTHER, name); return KNOWN[name];', 'KNOWN[name]'],
  guarded: ['return Object.hasOwn(KNOWN, name) ? KNOWN[name] : null;'],
  literal: ["return KNOWN['a'];"],
  oneOfFew: ['return KNOWN[few];'],
  list: ['return list[0];'],
  map: ['return new Map(Object.entries(KNOWN)).get(name);'],
};

test('a name that an object may inherit is seen, and nothing else', () => {
  const sources = new Map(
    Object.entries(BODIES).map(([name, [body]]) => [
      `server/${name}.ts`,
      `const KNOWN: Record<string, string> = { a: 'b' }; const OTHER: Record<string, string> = {};
       export function f(name: string, few: 'a' | 'b', list: string[], maybe?: Record<string, string>) { ${body} }`,
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
  expect(unsafeLookups(program, (path) => sources.has(path))).toEqual(
    Object.entries(BODIES).flatMap(([name, [, found]]) =>
      found === undefined ? [] : [`server/${name}.ts: ${found}`],
    ),
  );
});
