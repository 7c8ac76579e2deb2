import type { RevueSouhaitee } from './souhaits-revues.ts';
import type { Souhait } from './souhaits.ts';
import { cleTexte, comparerTextes } from './text.ts';

/** Both lists of one person, by rank. */
export interface Listes {
  readonly souhaits: readonly Souhait[];
  readonly revues: readonly RevueSouhaitee[];
}

const SANS_AUTEUR = 'Auteur non précisé';
const JOUR = new Intl.DateTimeFormat('fr', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Both lists to be read in a bookshop: books by author, in the alphabet's order and then by rank,
 * those without one last; periodicals apart.
 */
export function enTexte({ souhaits, revues }: Listes, date: Date): string {
  const parties = [
    `Liste de souhaits du ${JOUR.format(date).replace(/^1 /, '1er ')}`,
    ...(souhaits.length > 0 ? ['LIVRES', ...parAuteur(souhaits)] : []),
    ...(revues.length > 0 ? ['REVUES', revues.map(ligneRevue).join('\n')] : []),
    ...(souhaits.length + revues.length === 0 ? ['La liste est vide.'] : []),
  ];
  return `${parties.join('\n\n')}\n`;
}

function parAuteur(souhaits: readonly Souhait[]): string[] {
  const groupes = Map.groupBy(souhaits, ({ auteur }) =>
    auteur === null ? null : cleTexte(auteur),
  );
  const sansAuteur = groupes.get(null);
  groupes.delete(null);
  return [...groupes]
    .sort(([a], [b]) => comparerTextes(a ?? '', b ?? ''))
    .map(([, groupe]) => section(groupe[0]?.auteur ?? SANS_AUTEUR, groupe))
    .concat(sansAuteur ? [section(SANS_AUTEUR, sansAuteur)] : []);
}

const section = (nom: string, souhaits: readonly Souhait[]): string =>
  [enLigne(nom), ...souhaits.map(ligneLivre)].join('\n');

const ligneLivre = ({ rang, titre, isbnAffiche }: Souhait): string =>
  `  ${rang}. ${enLigne(titre)}${isbnAffiche === null ? '' : ` — ISBN ${isbnAffiche}`}`;

function ligneRevue({ rang, titre, numero, issn }: RevueSouhaitee): string {
  const suite =
    numero === null ? '' : `, ${/^\d/.test(numero) ? 'n°\u00a0' : ''}${enLigne(numero)}`;
  return `  ${rang}. ${enLigne(titre)}${suite}${issn === null ? '' : ` — ISSN ${issn}`}`;
}

const enLigne = (texte: string): string => texte.replace(/\s+/g, ' ');
