import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { escapeUTF8 } from 'entities';
import type { FastifyReply } from 'fastify';
import { m } from '#messages';
import { contracted } from '#shared/elision';
import { LOCALES, type Locale } from '#shared/locale';
import { MAX_NOM_VISITEUR } from '#shared/partages';
import { listAuteurs } from '#shared/souhaits';
import { VARY } from '#server/plumbing/http/language';

// The pages of a wish list for visitors without an account (docs/rules.md § 60): HTML without
// scripts, in the application's colours and typefaces (src/styles/tokens.css) and the reader's
// language.

export interface Souhait {
  readonly id: number;
  readonly titre: string;
  readonly auteur: string | null;
  readonly cle: string | null;
}

const LATIN =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-206F, U+20AC, U+2122, U+FEFF, U+FFFD';
const LATIN_EXT =
  'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF';

/** The files of the built client by how their names begin (src/styles/fonts.css). */
const FACES = [
  ['Literata', 'literata-latin-opsz-normal', '200 900', LATIN],
  ['Literata', 'literata-latin-ext-opsz-normal', '200 900', LATIN_EXT],
  ['Atkinson', 'atkinson-hyperlegible-next-latin-wght-normal', '200 800', LATIN],
  ['Atkinson', 'atkinson-hyperlegible-next-latin-ext-wght-normal', '200 800', LATIN_EXT],
  ['Serif Marks', 'serif-marks', '200 900', 'U+0027, U+202F'],
  ['Sans Marks', 'sans-marks', '200 800', 'U+0027, U+0030, U+202F'],
] as const;

const ASSETS = '_app/immutable/assets';

/** Empty if the client was not built: system fonts are used. */
function fontsOf(clientPath: string, basePath: string): string {
  const folder = join(clientPath, ASSETS);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return FACES.flatMap(([family, name, weight, range]) => {
    const file = files.find((one) => one.startsWith(`${name}.`) && one.endsWith('.woff2'));
    if (file === undefined) return [];
    return `@font-face { font-family: '${family}'; font-display: swap; font-weight: ${weight}; src: url('${basePath}/${ASSETS}/${file}') format('woff2'); unicode-range: ${range} }\n`;
  }).join('');
}

/** Grounds of jackets (src/styles/cloths.css), on which the letter is light. */
const CLOTHS = ['#6d2430', '#96432d', '#664628', '#56552b', '#2c4d3d', '#1c5560'] as const;

const STYLE = `
:root { color-scheme: light dark; --paper: #f8f4ec; --sheet: #fffdf8; --ink: #23201b; --soft: #6b6458; --line: #e4dccd; --edge: #978f80; --trim: #d3c8b5; --accent: #7a2e22; --face: #2f5d46; --shade: rgb(60 48 30 / 0.16);
  --serif: 'Serif Marks', 'Literata', Georgia, serif; --sans: 'Sans Marks', 'Atkinson', system-ui, sans-serif }
@media (prefers-color-scheme: dark) { :root { --paper: #171512; --sheet: #1f1c18; --ink: #ece5d8; --soft: #a79e8e; --line: #332e27; --edge: #6e665a; --trim: #453e35; --accent: #e0a48f; --shade: rgb(0 0 0 / 0.5) } img { filter: brightness(0.93) } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.45 var(--sans); overflow-wrap: anywhere; -webkit-text-size-adjust: 100% }
main { max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
@media (width >= 40rem) { main { padding: 3rem 1.75rem 4rem } }
h1, h2 { font-family: var(--serif); font-weight: 600; line-height: 1.2; margin: 0; text-wrap: pretty }
h1 { font-size: max(1.375rem, min(1.75rem, 7.75vw)) }
h2 { font-size: 1.125rem }
p { margin: 0.5rem 0; text-wrap: pretty }
.soft { color: var(--soft) }
header { display: flex; gap: 0.875rem; align-items: center }
.face { flex: none; display: grid; place-items: center; width: 3.5rem; height: 3.5rem; border-radius: 50%; background: var(--face); color: #fff8f0; font: 500 1.625rem/1 var(--serif) }
.how { margin: 1.25rem 0 0 }
label { display: block; font-weight: 600; margin-top: 1.25rem }
input { display: block; width: 100%; max-width: 22rem; min-height: 3rem; margin-top: 0.375rem; padding: 0 0.875rem; border: 1.5px solid var(--edge); border-radius: 0.75rem; background: var(--sheet); color: inherit; font: inherit }
ul { list-style: none; margin: 1.5rem 0 0; padding: 0 }
li { display: flex; flex-wrap: wrap; gap: 0.5rem 0.875rem; align-items: center; padding: 0.75rem 0; border-bottom: 1px solid var(--line) }
li img, .none { flex: none; width: 2.75rem; height: 4.125rem; border-radius: 0.25rem; box-shadow: 0 0.125rem 0.5rem var(--shade) }
li img { object-fit: cover }
.none { display: grid; place-items: center; color: #f6eede; font: 500 1.25rem/1 var(--serif) }
${CLOTHS.map((cloth, index) => `.c${index} { background: ${cloth} }`).join('\n')}
.text { flex: 1 1 8rem; min-width: 0 }
.text p { margin: 0.125rem 0 0 }
button { min-height: 3rem; padding: 0 1.125rem; border: 1.5px solid var(--trim); border-radius: 0.75rem; background: var(--sheet); color: inherit; font: 600 1rem var(--sans); cursor: pointer }
li button, .given { margin-left: auto }
.given { font-weight: 600; color: var(--soft) }
.none-yet { margin-top: 1.5rem; padding: 1.5rem 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line) }
.tongues { margin-top: 2rem }
form + p, p + form { margin-top: 1.25rem }
a { color: var(--accent); display: inline-block; padding: 0.625rem 0 }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`;

/** The letter of a name or a title, as a person without a picture has it. */
const letterOf = (text: string): string =>
  (/[\p{L}\p{N}]/u.exec(text)?.[0] ?? '·').toLocaleUpperCase('fr');

/** A disabled first button: Enter in the field must not submit the first book's button. */
const NO_DEFAULT = '<button disabled hidden></button>';

/** The common parts of these pages. */
interface Page {
  readonly title: string;
  readonly body: string;
  /** Whether the page offers other languages: only on pages reached by a link, not after a submit. */
  readonly isOffered?: boolean;
}

export class ListePages {
  readonly #style: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({
    clientPath,
    basePath,
  }: {
    readonly clientPath: string;
    readonly basePath: string;
  }) {
    this.#style = fontsOf(clientPath, basePath) + STYLE;
    this.#headers = {
      'Content-Security-Policy': [
        "default-src 'none'",
        'img-src data:',
        "font-src 'self'",
        `style-src 'sha256-${createHash('sha256').update(this.#style).digest('base64')}'`,
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      // The address is the secret.
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow, noarchive',
    };
  }

  send(
    reply: FastifyReply,
    locale: Locale,
    { title, body, isOffered = false }: Page,
  ): FastifyReply {
    const tongues = LOCALES.filter((one) => isOffered && one !== locale).map(
      (one) =>
        `<a href="?langue=${one}" lang="${one}" hreflang="${one}">${escapeUTF8(m.visite_tongue({}, { locale: one }))}</a>`,
    );
    const html = `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex, nofollow"><title>${escapeUTF8(title)}</title><style>${this.#style}</style></head>
<body><main>${body}${tongues.length === 0 ? '' : `<p class="tongues">${tongues.join(' ')}</p>`}</main></body></html>`;
    reply.vary(VARY);
    return reply
      .headers({ ...this.#headers, 'Content-Language': locale })
      .type('text/html; charset=utf-8')
      .send(html);
  }
}

const titleOf = (nom: string, locale: Locale): string => contracted(m.envies({ nom }, { locale }));

interface ListPage {
  /** The name of the list's owner. */
  readonly nom: string;
  readonly souhaits: readonly Souhait[];
  readonly pictures: ReadonlyMap<string, string>;
  /** The part of the offers that the owner allows to be shown. */
  readonly offers: {
    readonly donnes: boolean;
    readonly given: ReadonlySet<number>;
    readonly savoirLe: string | null;
  };
}

export function listPage({ nom, souhaits, pictures, offers }: ListPage, locale: Locale): Page {
  const options = { locale };
  const rows = souhaits.map(({ id, titre, auteur, cle }) => {
    const source = pictures.get(cle ?? '');
    const image =
      source === undefined
        ? `<span class="none c${id % CLOTHS.length}" aria-hidden="true">${escapeUTF8(letterOf(titre))}</span>`
        : `<img src="${source}" alt="">`;
    const auteurs = listAuteurs(auteur);
    const by = auteurs === null ? '' : `<p class="soft">${escapeUTF8(auteurs)}</p>`;
    const end = offers.given.has(id)
      ? `<p class="given">${escapeUTF8(m.visite_is_given({}, options))}</p>`
      : `<button name="souhait" value="${id}" aria-describedby="s${id}">${escapeUTF8(m.offrir({}, options))}</button>`;
    return `<li>${image}<div class="text"><h2 id="s${id}">${escapeUTF8(titre)}</h2>${by}</div>
${end}</li>`;
  });
  const head = `<header><span class="face" aria-hidden="true">${escapeUTF8(letterOf(nom))}</span>
<h1>${escapeUTF8(titleOf(nom, locale))}</h1></header>`;
  const form =
    rows.length === 0
      ? `<p class="none-yet">${escapeUTF8(m.envies_none({}, options))}</p>`
      : `<p class="how">${escapeUTF8(howToGive(nom, offers.savoirLe, locale))}</p>
<p class="soft">${escapeUTF8(offers.donnes ? m.visite_shown({ nom }, options) : m.visite_unsaid({ nom }, options))}</p>
<form method="post">${NO_DEFAULT}
<label for="nom">${escapeUTF8(m.visite_prenom({}, options))}</label>
<input id="nom" name="nom" required maxlength="${MAX_NOM_VISITEUR}" autocomplete="given-name">
<ul>${rows.join('\n')}</ul></form>`;
  return { title: titleOf(nom, locale), body: head + form, isOffered: true };
}

const dayInWords = (day: string, locale: Locale): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString(m.intl_locale({}, { locale }), {
    dateStyle: 'long',
    timeZone: 'UTC',
  });

const howToGive = (nom: string, savoirLe: string | null, locale: Locale): string =>
  savoirLe === null
    ? m.visite_how({ nom }, { locale })
    : m.visite_how_until({ nom, date: dayInWords(savoirLe, locale) }, { locale });

const whoSees = (nom: string, titre: string, savoirLe: string | null, locale: Locale): string =>
  savoirLe === null
    ? m.visite_given({ titre, nom }, { locale })
    : m.visite_given_until({ titre, nom, date: dayInWords(savoirLe, locale) }, { locale });

const backLink = (locale: Locale): string =>
  `<p><a href="">${escapeUTF8(m.visite_back({}, { locale }))}</a></p>`;

/** After « Je l’offre », and after it was taken back. */
export function donePage(
  { nom, savoirLe }: { readonly nom: string; readonly savoirLe: string | null },
  given: { readonly id: number; readonly titre: string; readonly by: string },
  isGiven: boolean,
  locale: Locale,
): Page {
  const options = { locale };
  const { id, titre, by } = given;
  const text = isGiven
    ? whoSees(nom, titre, savoirLe, locale)
    : m.visite_taken_back({ titre }, options);
  const undo = isGiven
    ? `<form method="post"><input type="hidden" name="nom" value="${escapeUTF8(by)}">
<input type="hidden" name="retirer" value="oui">
<button name="souhait" value="${id}">${escapeUTF8(m.visite_take_back({}, options))}</button></form>`
    : '';
  const body = `<h1>${escapeUTF8(m.visite_noted({}, options))}</h1><p>${escapeUTF8(text)}</p>${undo}${backLink(locale)}`;
  return { title: titleOf(nom, locale), body };
}

/** The submitted gift was not recorded. */
export function notNotedPage(nom: string, why: 'gone' | 'noName', locale: Locale): Page {
  const options = { locale };
  const text =
    why === 'gone'
      ? m.visite_gone({}, options)
      : m.visite_name_needed({ count: MAX_NOM_VISITEUR }, options);
  const body = `<h1>${escapeUTF8(m.visite_not_noted({}, options))}</h1><p>${escapeUTF8(text)}</p>${backLink(locale)}`;
  return { title: titleOf(nom, locale), body };
}

/** The page for a missing list, or one that cannot be shown now. */
export const refusedPage = (text: string): Page => ({
  title: 'Rayonnage',
  body: `<h1>Rayonnage</h1><p>${escapeUTF8(text)}</p>`,
});
