import type { FastifyInstance } from 'fastify';
import { parseIssn } from '#shared/issn';
import { found, Refusal } from '#shared/refusals';
import * as api from '#shared/revues';
import { Revue, RevueSaisie } from '#shared/revues';
import { textKey } from '#shared/text';
import { NumeroIndex } from '#shared/numero-index';
import { enteredFields } from '#server/plumbing/common/entry';
import {
  documentSource,
  insertRow,
  readDocument,
  readDocuments,
  updateRow,
  renewRows,
  refusingTwins,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import type { RecordKind, Restore } from '#server/plumbing/records/kind';
import type { Database } from '#server/plumbing/database/database';
import { InMemory, toMaybeDeleted } from '#server/plumbing/records/in-memory';
import type { Records } from '#server/plumbing/records/records';
import { deleteUnusedThemes, themeIdsOf } from '#server/subjects/themes';

const source = documentSource('Revue', Revue);

export const readRevue = (database: Reader, id: number): Revue | undefined =>
  readDocument(database, source, 'WHERE d.id = ?', id);

const revueByIssn = (database: Reader, issn: string | null): Revue | undefined =>
  issn === null ? undefined : readDocument(database, source, 'WHERE d.issn = ?', issn);

export const revueIdByIssn = (database: Reader, issn: string): number | null =>
  revueByIssn(database, issn)?.id ?? null;

/** Found by its ISSN or title; two of one title in the file stay two. A known one may get its ISSN. */
const restore: Restore<Revue> = (tx, revues, { idsOf }) => {
  const taken = new Set(revues.flatMap(({ issn }) => revueByIssn(tx, issn)?.id ?? []));
  return revues.flatMap(({ id, titre, issn }) => {
    const known = revueByIssn(tx, issn);
    const { revue, created } = findOrCreateRevue(tx, { titre, issn }, taken);
    taken.add(revue.id);
    idsOf('revues').set(id, revue.id);
    if (created) return { id: revue.id };
    const isGiven = known === undefined && issn !== null && revue.issn === issn;
    return isGiven ? { id: revue.id, isFilled: true } : [];
  });
};

export const kind: RecordKind<'revues'> = {
  source,
  naming: { column: 'titre', subject: 'La revue', ending: 'e' },
  tables: {
    Revue: {
      reasons: {
        taken: () => 'Une autre revue porte cet ISSN depuis.',
        gone: 'La revue a été supprimée',
      },
    },
  },
  exports: { revues: { source, label: 'les revues', restore } },
  // What is no ISSN stays, and so does one whose dashed form is taken.
  renormaliser: (tx) =>
    renewRows<Revue>(tx, 'Revue', ({ issn }) => ({
      issn: issn === null ? null : (parseIssn(issn) ?? issn),
    })),
};

/** The dashed ISSN of a field, `null` when it is empty. Throws `ISSN_INVALIDE`. */
export function enteredIssn(text: string | null): string | null {
  if (text === null) return null;
  const issn = parseIssn(text);
  if (issn === null) throw new Refusal('ISSN_INVALIDE');
  return issn;
}

function readEntry(saisie: RevueSaisie) {
  const fields = enteredFields(RevueSaisie, saisie);
  return { ...fields, issn: enteredIssn(fields.issn) };
}

/**
 * Finds a periodical by its ISSN, else by its title, or creates it. One found by title takes the given ISSN where it
 * has none; with another ISSN it is another periodical (docs/rules.md § 20).
 *
 * @param others the ids of those that it is not, despite their title
 */
export function findOrCreateRevue(
  tx: Transaction,
  saisie: RevueSaisie,
  others: ReadonlySet<number> = new Set(),
): { revue: Revue; created: boolean } {
  const { titre, issn } = readEntry(saisie);
  const known = revueByIssn(tx, issn);
  if (known) return { revue: known, created: false };
  const ofTitre = 'WHERE cle_texte(d.titre) = ? ORDER BY d.id';
  const possible = readDocuments(tx, source, ofTitre, textKey(titre)).filter(
    (revue) => !others.has(revue.id) && (issn === null || revue.issn === null),
  );
  const same = possible.find((revue) => revue.issn === issn) ?? possible[0];
  if (same === undefined) {
    const id = insertRow(tx, 'Revue', { titre, issn });
    return { revue: { id, titre, issn }, created: true };
  }
  if (issn !== null) updateRow(tx, 'Revue', same.id, { issn });
  return { revue: found(readRevue(tx, same.id)), created: false };
}

/** Throws `INTROUVABLE`. */
function supprimer(tx: Transaction, id: number): void {
  const themes = tx
    .values<number>('SELECT id FROM Numero WHERE revueId = ?', id)
    .flatMap((numeroId) => themeIdsOf(tx, 'numeros', numeroId));
  if (tx.run('DELETE FROM Revue WHERE id = ?', id).changes === 0) throw new Refusal('INTROUVABLE');
  deleteUnusedThemes(tx, themes);
}

export type LiveNumeroIndex = InMemory<NumeroIndex>;

export function liveNumeroIndex(records: Records<Database>): LiveNumeroIndex {
  const index = new NumeroIndex();
  return new InMemory(records, index, {
    revues: (changes) => index.applyRevues(toMaybeDeleted(changes)),
    numeros: (changes) => index.applyNumeros(toMaybeDeleted(changes)),
  });
}

export function routes(
  app: FastifyInstance,
  { database, numeroIndex }: { readonly database: Reader; readonly numeroIndex: LiveNumeroIndex },
): void {
  mount(app, api.listerRevues, () => numeroIndex.read((index) => index.revues));
  mount(app, api.lireRevue, ({ params }) => readRevue(database, params.id));

  mount(app, api.ajouterRevue, ({ tx, body, reply }) => {
    const { revue, created } = findOrCreateRevue(tx, body);
    if (created) reply.code(201);
    return revue;
  });

  mount(app, api.modifierRevue, ({ tx, params: { id }, body }) => {
    found(readRevue(tx, id));
    const revue = readEntry(body);
    refusingTwins(
      ['Revue.issn'],
      () => updateRow(tx, 'Revue', id, revue),
      () => {
        const other = revueByIssn(tx, revue.issn);
        return (
          other && new Refusal('REVUE_EXISTANTE', { revue: { id: other.id, titre: other.titre } })
        );
      },
    );
    return found(readRevue(tx, id));
  });

  mount(app, api.supprimerRevue, ({ tx, params }) => supprimer(tx, params.id));
}
