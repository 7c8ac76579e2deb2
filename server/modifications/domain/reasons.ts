import { Refusal } from '#shared/refusals';
import type { Row } from '#server/database/columns';
import type { Database } from '#server/database/database';
import { openPretOfLivre } from '#server/livres/store/livres';
import { readName, readRow } from '../store/rows.ts';
import { ownerOf } from './changes.ts';
import { currentName, recordOf } from './tables.ts';

/** The refusal of an undoing, with what stands in its way. */
export const impossible = (raison: string): Refusal<'ANNULATION_IMPOSSIBLE'> =>
  new Refusal('ANNULATION_IMPOSSIBLE', { raison });

/** For what belongs to another person: it must not say what stands in the way. */
const UNDISCLOSED = 'Cette modification ne peut plus être annulée.';

/** Says what stands in the way of an undoing, to one caller (docs/rules.md § 38). */
export class Reasons {
  readonly #database: Database;
  readonly #utilisateur: string | null;
  /** Whether the act touched several records of one kind, which then have to be named. */
  readonly #several: ReadonlySet<string>;

  constructor(database: Database, utilisateur: string | null, several: ReadonlySet<string>) {
    this.#database = database;
    this.#utilisateur = utilisateur;
    this.#several = several;
  }

  /** The row is not as the act left it: it was rewritten or deleted since. */
  changed(table: string, image: Row, present: Row | undefined): Refusal {
    if (this.#isHidden(image)) return impossible(UNDISCLOSED);
    if (table === 'Pret') return impossible(this.#pretChanged(image, present));
    if (table === 'FusionRefusee')
      return impossible('Ces auteurs ont été réunis ou séparés autrement depuis.');
    const record = recordOf(table, image);
    if (record === undefined) return impossible('Ce qu’elle touche a été modifié depuis.');
    const name = currentName(this.#database, record);
    const told = name ?? image[record.kind.name];
    const { subject, ending } = record.kind;
    const isNamed = this.#several.has(record.kind.table) && typeof told === 'string';
    const [who, end] = isNamed ? [told, ''] : [subject, ending];
    return impossible(
      name === null ? `${who} a été supprimé${end} depuis.` : `${who} a été modifié${end} depuis.`,
    );
  }

  /** A constraint of the database does not allow the row beside what has been added since. */
  violated(table: string, image: Row): Refusal {
    if (this.#isHidden(image)) return impossible(UNDISCLOSED);
    if (table === 'Pret') {
      const open = openPretOfLivre(this.#database, Number(image['livreId']));
      if (open !== undefined)
        return impossible(`Ce livre a été prêté à ${open.emprunteur} depuis.`);
    }
    const lost = LINKS.find(
      ([column, target]) =>
        typeof image[column] === 'number' &&
        readRow(this.#database, target, { id: image[column] }) === undefined,
    );
    if (lost !== undefined) return impossible(`${lost[2]} depuis.`);
    const taken = TAKEN[table];
    const record = recordOf(table, image);
    const isThere = record !== undefined && currentName(this.#database, record) !== null;
    if (taken !== undefined && (isThere || record === undefined || record.kind.table === table))
      return impossible(taken);
    return this.changed(table, image, undefined);
  }

  /** A row that the act did not touch would be deleted or changed along with it. */
  added(table: string, row: Row): Refusal {
    if (this.#isHidden(row)) return impossible(UNDISCLOSED);
    if (table === 'Pret')
      return impossible(`Ce livre a été prêté à ${String(row['emprunteur'])} depuis.`);
    if (table === 'Place') {
      const serie = readName(this.#database, 'Serie', 'titre', row['serieId']);
      return impossible(
        serie === null
          ? 'Un volume a été ajouté à cette série depuis.'
          : `Ce livre a été placé dans la série ${serie} depuis.`,
      );
    }
    return impossible(ADDED[table] ?? 'Ce qu’elle touche a été modifié depuis.');
  }

  /** The list has been put into another order since. */
  reordered(utilisateur: string): Refusal {
    return impossible(
      utilisateur === this.#utilisateur
        ? 'Cette liste a été rangée autrement depuis.'
        : UNDISCLOSED,
    );
  }

  #isHidden(row: Row): boolean {
    const owner = ownerOf(row);
    return owner !== '' && owner !== this.#utilisateur;
  }

  #pretChanged(image: Row, present: Row | undefined): string {
    const row = present ?? readRow(this.#database, 'Pret', image);
    const livreId = row?.['livreId'] ?? image['livreId'];
    if (row === undefined) return 'Ce livre a été supprimé depuis.';
    const open = openPretOfLivre(this.#database, Number(livreId));
    if (open !== undefined && open.id !== row['id'])
      return `Ce livre a été prêté à ${open.emprunteur} depuis.`;
    return row['dateRetour'] === null
      ? 'Ce livre n’est plus rendu.'
      : 'Ce livre a été rendu depuis.';
  }
}

/** The columns that refer to another record, and what to say when that is deleted. */
const LINKS = [
  ['livreId', 'Livre', 'Ce livre a été supprimé'],
  ['auteurId', 'Auteur', 'L’auteur a été supprimé'],
  ['premierId', 'Auteur', 'L’auteur a été supprimé'],
  ['secondId', 'Auteur', 'L’auteur a été supprimé'],
  ['serieId', 'Serie', 'Cette série a été supprimée'],
  ['revueId', 'Revue', 'Cette revue a été supprimée'],
  ['numeroId', 'Numero', 'Ce numéro a été supprimé'],
  ['themeId', 'Theme', 'Ce thème a été supprimé'],
] as const;

/** What to say where a unique column has the value already, by table. */
const TAKEN: Readonly<Record<string, string>> = {
  Auteur: 'Un autre auteur porte ce nom depuis.',
  Revue: 'Une autre revue porte cet ISSN depuis.',
  Numero: 'Cette revue a ce numéro de nouveau.',
  Souhait: 'Ce souhait est de nouveau sur la liste.',
  RevueSouhaitee: 'Ce souhait est de nouveau sur la liste.',
  Statut: 'Ce statut a été changé depuis.',
  LivreAuteur: 'Ce livre a été modifié depuis.',
  FusionRefusee: 'Ces auteurs ont été réunis ou séparés autrement depuis.',
};

/** What to say of a row that was added since, by table. */
const ADDED: Readonly<Record<string, string>> = {
  Serie: 'Une série y a été rangée depuis.',
  Numero: 'Un numéro a été ajouté à cette revue depuis.',
  NumeroTheme: 'Ce numéro a été modifié depuis.',
  Article: 'Ce numéro a été modifié depuis.',
  LivreAuteur: 'Ce livre a été modifié depuis.',
};
