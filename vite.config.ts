import { globSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { sveltekit } from '@sveltejs/kit/vite';
import { Visitor, type ESTree } from 'rolldown/utils';
import { defineConfig, type Plugin, type PluginOption } from 'vite';
import { noteMaterials } from './scripts/support/materials.ts';
import { readBuildSettings, version } from './scripts/support/settings.ts';
import type { Endpoint } from './shared/endpoint.ts';
import { BASE_LOCALE, isLocale } from './shared/locale.ts';
import { unsafeCast } from './src/lib/api/unsafe-cast.ts';
import { documentShapes } from './src/lib/sync/document-shapes.ts';
import { SHAPES as hashOfShapes } from './src/lib/sync/shapes.ts';

/**
 * The frame, the catalogue and the page of errors, which Kit loads with them, in one file: left alone,
 * the first screen would be some forty.
 */
const FIRST_SCREEN = {
  name: 'first-screen',
  test: /src\/routes\/(\(catalogue\)\/)?\+(layout|page|error)\.svelte$/,
};

/**
 * What is loaded behind it at every start, with all that it needs, and what the print of the catalogue needs, which waits
 * for Ctrl+P: of the screens none but that.
 */
const LATE = {
  name: 'late',
  test: /src\/(service-worker\/page\.ts|lib\/(couvertures\/jacket\/typeset-jacket\.ts|frame\/late\.ts|livres\/cover-transition\.ts|sync\/household-note\.svelte\.ts|ui\/(NearWindow\.svelte|growing\.svelte\.ts)))$/,
};

/** RxDB in one file with what opens a copy; its storage stays apart, which throws where site data is blocked. */
const COPY = { name: 'copy', test: /src\/lib\/sync\/library\.ts$/ };

/** Messages and icons are modules of a few lines; those that several screens share, in one file. */
const SHARED = { name: 'shared', test: /src\/lib\/paraglide|@lucide/, minShareCount: 2 };

/** What several of the other screens share: thirty small files of a page would each wait for the line. */
const SCREENS = { name: 'screens', test: /src\/lib\/(?!sync\/)/, minShareCount: 3 };

/** The language of this build. */
const wanted = process.env['BUILD_LOCALE'];
const LOCALE = isLocale(wanted) ? wanted : BASE_LOCALE;

/** The module of its sentences: a test has another one for the same language (`test/e2e/support/pseudo.ts`). */
const SENTENCES = process.env['BUILD_MESSAGES'] ?? LOCALE;

/** What was built before, the files of each language: one worker keeps them all. */
const BUILT: unknown = JSON.parse(process.env['BUILD_FILES'] || '{}');

export default defineConfig({
  plugins: [
    watchedMessages(),
    sveltekit(),
    drawnIcons(),
    quietRxdb(),
    oneLanguage(SENTENCES),
    leanEndpoints(),
    leanShapes(),
    knownShapes(),
    {
      ...noteMaterials('build/client-packages'),
      applyToEnvironment: ({ name }) => name === 'client',
    },
  ],
  environments: {
    client: {
      build: {
        // The policy of the page loads no font from an address that holds it.
        assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
        rolldownOptions: {
          // A screen that asks for none of the shapes of a file of `shared` carries none.
          treeshake: {
            manualPureFunctions: ['Type'],
            // It does nothing as it is read but make its constants.
            moduleSideEffects: [{ test: /\/typebox\/build\//, sideEffects: false }],
          },
          output: {
            codeSplitting: { groups: [FIRST_SCREEN, LATE, COPY, SHARED, SCREENS] },
          },
        },
      },
    },
  },
  define: {
    __APPLICATION__: JSON.stringify(application()),
    __SCREENS__: JSON.stringify(screens()),
    __LOCALE__: JSON.stringify(LOCALE),
    __BUILT__: JSON.stringify(BUILT),
  },
  // Kit needs its own version of `cookie`; the one at the top of node_modules is fastify's.
  ssr: { noExternal: ['cookie'] },
  server: { proxy: { '/api': process.env['API_URL'] || 'http://127.0.0.1:3000' } },
});

/** The facts of the about page, as far as whoever builds has said them. */
function application() {
  return {
    version: version(readBuildSettings(), process.env['BUILD_ID'] ?? ''),
    contact: process.env['CONTACT_EMAIL'] || null,
    site: process.env['AUTHOR_URL'] || null,
    source: process.env['SOURCE_URL'] || null,
  };
}

/** The paths of the screens, as the folders of src/routes write them. */
function screens(): string[] {
  return globSync('src/routes/**/+page.svelte').map((file) => {
    const folders = file.split(sep).slice(2, -1);
    return `/${folders.filter((folder) => !folder.startsWith('(')).join('/')}`;
  });
}

/** Where RxDB notes that it has advertised its storages for money. */
const ADVERTISED = 'var shownNonPremiumLog = ';

/** RxDB advertises once a page in everybody's console; its switch comes with a purchase. */
function quietRxdb(): Plugin {
  return {
    name: 'quiet-rxdb',
    transform: {
      filter: { id: /storage-dexie\/rx-storage-instance-dexie\.js$/ },
      handler(code) {
        if (!code.includes(`${ADVERTISED}false`)) this.error('RxDB advertises in another way now');
        return code.replace(`${ADVERTISED}false`, `${ADVERTISED}true`);
      },
    },
  };
}

/** While one develops, a sentence that is changed is on the screen at once; else `scripts/launch.mjs` has made them. */
function watchedMessages(): PluginOption {
  return process.env['ATELIER']
    ? paraglideVitePlugin({
        project: './project.inlang',
        outdir: './src/lib/paraglide',
        strategy: ['baseLocale'],
        outputStructure: 'locale-modules',
      })
    : [];
}

/** Where Paraglide writes the sentences, a module a language, and the folder of those that a build splits. */
const MESSAGES = resolve('src/lib/paraglide/messages');
const MESSAGE = `${MESSAGES}/one/`;

/**
 * Each message as a module of its own, in the language of the build alone: a screen loads what it says, and nothing that
 * chooses among languages.
 */
function oneLanguage(sentences: string): Plugin {
  const messages = new Map<string, string>();
  return {
    name: 'one-language',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^\.\/one\// },
      handler: (source) => resolve(MESSAGES, source),
    },
    load: {
      filter: { id: /\/paraglide\/messages\/(_index|one\/\w+)\.js$/ },
      handler(id) {
        if (id.startsWith(MESSAGE)) return messages.get(id.slice(MESSAGE.length, -'.js'.length));
        for (const each of new Set([BASE_LOCALE, sentences])) {
          const code = readFileSync(`${MESSAGES}/${each}.js`, 'utf8');
          for (const statement of this.parse(code).body) {
            // What is not translated yet stays as the base has it.
            if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue;
            const text = code.slice(statement.start, statement.end);
            const [, name] = /^export const (\w+) = /.exec(text) ?? [];
            if (name === undefined) this.error('Paraglide writes its messages in another way now');
            messages.set(name, `import * as registry from '../../registry.js';\n${text}`);
          }
        }
        return [...messages.keys()].map((name) => `export * from './one/${name}.js';`).join('\n');
      },
    },
  };
}

/** What an operation declares for the server and its documentation alone. */
const SERVERS = new Set<string>([
  'summary',
  'query',
  'bytes',
  'params',
  'streamed',
  'status',
  'perMinute',
  'also',
  'keyInAddress',
  'hasSideEffects',
  'modification',
  'record',
] satisfies (keyof Endpoint)[]);

/** Shapes of which a device asks only whether there is one. */
const SHAPES = new Set<string>(['body'] satisfies (keyof Endpoint)[]);

/**
 * The operations of `shared` without what the server alone reads: a third of each, with all its shapes. While one
 * develops and in the tests, too, so that code which reads such a thing fails there.
 */
function leanEndpoints(): Plugin {
  return {
    name: 'lean-endpoints',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\/shared\/[^/]+\.ts$/, code: 'endpoint({' },
      handler(code) {
        const cuts: [start: number, end: number, left: string][] = [];
        new Visitor({
          CallExpression({ callee, arguments: [declaration] }) {
            if (callee.type !== 'Identifier' || callee.name !== 'endpoint') return;
            if (declaration?.type !== 'ObjectExpression') return;
            for (const property of declaration.properties) {
              if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
              const { start, end, key } = property;
              if (SERVERS.has(key.name)) cuts.push([start, end, '...{}']);
              if (SHAPES.has(key.name)) cuts.push([start, end, `${key.name}: true`]);
            }
          },
        }).visit(this.parse(code));
        let lean = code;
        for (const [start, end, left] of cuts.toReversed())
          lean = lean.slice(0, start) + left + lean.slice(end);
        return lean;
      },
    },
  };
}

/**
 * The shapes of `shared` so that one which nobody asks for is left out: a part that is taken from another shape
 * (`...Livre.properties`) might do something as it is read, for all that a bundler knows.
 */
function leanShapes(): Plugin {
  return {
    name: 'lean-shapes',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\/shared\/[^/]+\.ts$/, code: 'Type' },
      handler(code) {
        const cuts: [start: number, end: number, left: string][] = [];
        const made = (text: string) => `/* @__PURE__ */ (() => (${text}))()`;
        for (const statement of this.parse(code).body) {
          const declared =
            statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
          if (declared?.type !== 'VariableDeclaration') continue;
          for (const { id, init, start, end } of declared.declarations) {
            const isShape = init?.type === 'CallExpression' || init?.type === 'ObjectExpression';
            if (!init || (!isShape && init.type !== 'MemberExpression')) continue;
            const text = code.slice(init.start, init.end);
            if (id.type === 'Identifier') cuts.push([init.start, init.end, made(text)]);
            const parts = id.type === 'ObjectPattern' ? id.properties : [];
            const rest = restAlone(parts);
            if (rest !== null) {
              const all = `const ${code.slice(id.start, id.end)} = ${text}; return ${rest};`;
              cuts.push([start, end, `${rest} = /* @__PURE__ */ (() => { ${all} })()`]);
              continue;
            }
            const names = parts.flatMap((part) =>
              part.type === 'Property' && part.shorthand && part.value.type === 'Identifier'
                ? [part.value.name]
                : [],
            );
            if (names.length > 0 && names.length === parts.length)
              cuts.push([
                start,
                end,
                names.map((name) => `${name} = ${made(`${text}.${name}`)}`).join(', '),
              ]);
          }
        }
        let lean = code;
        for (const [start, end, left] of cuts.toReversed())
          lean = lean.slice(0, start) + left + lean.slice(end);
        return lean;
      },
    },
  };
}

/** The name of the rest of a pattern whose other parts are left out, `_` before their names; `null` for any other. */
function restAlone(
  parts: readonly (ESTree.BindingProperty | ESTree.BindingRestElement)[],
): string | null {
  const last = parts.at(-1);
  if (last?.type !== 'RestElement' || last.argument.type !== 'Identifier') return null;
  const isLeftOut = parts
    .slice(0, -1)
    .every(
      (part) =>
        part.type === 'Property' &&
        part.value.type === 'Identifier' &&
        part.value.name.startsWith('_'),
    );
  return isLeftOut ? last.argument.name : null;
}

/** What the copy knows of shapes as data, in place of what makes them: no device needs that. */
function knownShapes(): Plugin {
  const data: Readonly<Record<string, unknown>> = { documentShapes, SHAPES: hashOfShapes };
  return {
    name: 'known-shapes',
    apply: 'build',
    load: {
      filter: { id: /\/src\/lib\/sync\/(document-)?shapes\.ts$/ },
      handler(id) {
        const name = id.endsWith('/document-shapes.ts') ? 'documentShapes' : 'SHAPES';
        return `export const ${name} = ${JSON.stringify(data[name])};`;
      },
    },
  };
}

/** What a component of Lucide draws. */
const ICON_DATA = /const iconData = (\{.*\});/;

/** The icon of one, as far as it is needed here. */
interface IconData {
  readonly name: string;
  readonly node: readonly (readonly [tag: string, attributes: Record<string, string | number>])[];
}

/**
 * Lucide's icons as markup that is cloned. Its component makes the elements one by one from a list and spreads
 * their attributes, a fifth of the mount of the first screen in a profile. An icon takes a class
 * here, and no other attribute.
 */
function drawnIcons(): Plugin {
  return {
    name: 'drawn-icons',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /@lucide\/svelte\/dist\/icons\/.*\.svelte$/ },
      handler: (code) => {
        const data = ICON_DATA.exec(code)?.[1];
        return data === undefined ? null : drawn(unsafeCast<IconData>(JSON.parse(data)));
      },
    },
  };
}

/** A component with what of Lucide's attributes `base.css` does not say. */
function drawn({ name, node }: IconData): string {
  const shapes = node.map(([tag, attributes]) => `<${tag}${attributesOf(attributes)} />`);
  const svg = attributesOf({
    viewBox: '0 0 24 24',
    'aria-hidden': 'true',
    class: `lucide-icon lucide-${name} {own}`,
  });
  return `<script>const { class: own = '' } = $props();</script><svg${svg}>${shapes.join('')}</svg>`;
}

const attributesOf = (attributes: Record<string, string | number>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
