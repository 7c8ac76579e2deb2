import { normaliser } from '#shared/text';

/** How many bindings the design tokens have (`--binding-0` and so on). */
const RELIURES = 8;

/** Small words that say nothing of a book, French ones and the articles of its neighbours. */
const PETITS_MOTS = new Set(
  'le la les l un une des du de d et ou à au aux en the a an der die das el los las il lo gli'.split(
    ' ',
  ),
);

/** One or two initials of a title, articles and small words left out: « La Horde du Contrevent » HC. */
export function initiales(titre: string): string {
  const mots = titre.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const parlants = mots.filter((mot) => !PETITS_MOTS.has(mot.toLocaleLowerCase('fr')));
  const choisis = (parlants.length > 0 ? parlants : mots).slice(0, 2);
  return choisis.map(premiereLettre).join('') || '·';
}

/** The number of the binding that a title always gets. */
export function reliure(titre: string): number {
  let somme = 0;
  for (const lettre of normaliser(titre)) somme = (somme * 31 + (lettre.codePointAt(0) ?? 0)) >>> 0;
  return somme % RELIURES;
}

const premiereLettre = (mot: string): string =>
  (mot.normalize('NFC').match(/^.\p{M}*/u)?.[0] ?? '').toLocaleUpperCase('fr');
