import { m } from '#messages';
import type { RevueSouhaitee } from './souhaits-revues.ts';
import type { Souhait } from './souhaits.ts';
import { auteurSortKey } from './sort.ts';
import { formatNumero } from './numero-name.ts';
import { formatLongDay } from './long-day.ts';
import { cleRegroupement, compareText } from './text.ts';

/** Both lists of one person, each by rank. */
export interface SouhaitLists {
  readonly souhaits: readonly Souhait[];
  readonly revues: readonly RevueSouhaitee[];
}

/**
 * Both lists as a text for the bookshop: books sorted by author as on the authors' screen, then by rank, those
 * without an author last; periodicals in a section of their own (docs/rules.md § 18).
 *
 * @param date shown as a day in the local time zone
 */
export function formatSouhaits({ souhaits, revues }: SouhaitLists, date: Date): string {
  const parts = [
    m.souhaits_list_of({ day: formatLongDay(date) }),
    ...(souhaits.length > 0 ? [m.souhaits_list_livres(), ...byAuteur(souhaits)] : []),
    ...(revues.length > 0 ? [m.souhaits_list_revues(), revues.map(revueLine).join('\n')] : []),
    ...(souhaits.length + revues.length === 0 ? [m.souhaits_list_empty()] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function byAuteur(souhaits: readonly Souhait[]): string[] {
  const groups = Map.groupBy(souhaits, ({ auteur }) =>
    auteur === null ? null : cleRegroupement(auteur),
  );
  const withoutAuteur = groups.get(null);
  groups.delete(null);
  return [...groups.values()]
    .map((group) => ({ auteur: group[0]?.auteur ?? m.souhaits_list_no_auteur(), group }))
    .sort((a, b) => compareText(auteurSortKey(a.auteur), auteurSortKey(b.auteur)))
    .map(({ auteur, group }) => section(auteur, group))
    .concat(withoutAuteur ? [section(m.souhaits_list_no_auteur(), withoutAuteur)] : []);
}

const section = (nom: string, souhaits: readonly Souhait[]): string =>
  [onOneLine(nom), ...souhaits.map(livreLine)].join('\n');

const livreLine = ({ rang, titre, isbnAffiche }: Souhait): string =>
  `  ${rang}. ${onOneLine(titre)}${isbnAffiche === null ? '' : ` — ISBN ${isbnAffiche}`}`;

function revueLine({ rang, titre, numero, issn }: RevueSouhaitee): string {
  const label = numero === null ? '' : `, ${formatNumero(onOneLine(numero))}`;
  return `  ${rang}. ${onOneLine(titre)}${label}${issn === null ? '' : ` — ISSN ${issn}`}`;
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ');
