import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import { parseIssn } from '#shared/issn';
import { found, Refusal } from '#shared/refusals';
import * as api from '#shared/revues';
import { issnsOf, Revue, RevueSaisie } from '#shared/revues';
import { textKey } from '#shared/text';
import { NumeroIndex } from '#shared/numero-index';
import { enteredFields } from '#server/plumbing/common/entry';
import {
  documentProjection,
  insertRow,
  readDocument,
  readDocuments,
  updateRow,
  renewedLine,
  renewRows,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import type { RecordKind, Restore } from '#server/plumbing/records/kind';
import type { Database } from '#server/plumbing/database/database';
import { InMemory, toMaybeDeleted } from '#server/plumbing/records/in-memory';
import type { Records } from '#server/plumbing/records/records';
import { deleteUnusedThemes, themeIdsOf } from '#server/subjects/themes';

const projection = documentProjection('Revue', Revue);

export const readRevue = (database: Reader, id: number): Revue | undefined =>
  readDocument(database, projection, 'WHERE d.id = ?', id);

/** @param except the id of a periodical to ignore */
const revueByIssn = (database: Reader, issn: string | null, except = 0): Revue | undefined =>
  issn === null
    ? undefined
    : readDocument(
        database,
        projection,
        'WHERE (d.issn = @issn OR d.secondIssn = @issn) AND d.id <> @except',
        { issn, except },
      );

export const revueIdByIssn = (database: Reader, issn: string): number | null =>
  revueByIssn(database, issn)?.id ?? null;

/** Another periodical with one of its ISSNs, and the field of that ISSN. */
function rivalOf(database: Reader, revue: Omit<Revue, 'titre'>) {
  for (const champ of ['issn', 'secondIssn'] as const) {
    const rival = revueByIssn(database, revue[champ], revue.id);
    if (rival !== undefined) return { champ, revue: { id: rival.id, titre: rival.titre } };
  }
  return null;
}

/** Matched by ISSN or title; two of one title in the file stay two. A known one may receive ISSNs. */
const restore: Restore<Revue> = (tx, revues, { idsOf, ownId }) => {
  const taken = new Set(revues.flatMap(issnsOf).flatMap((issn) => revueByIssn(tx, issn)?.id ?? []));
  return revues.flatMap(({ id, ...saisie }) => {
    const { revue, created, isFilled } = findOrCreateRevue(tx, saisie, taken, () =>
      ownId('Revue', id),
    );
    taken.add(revue.id);
    idsOf('revues').set(id, revue.id);
    if (created) return { id: revue.id };
    return isFilled ? { id: revue.id, isFilled } : [];
  });
};

export const kind: RecordKind<'revues'> = {
  projection,
  naming: {
    column: 'titre',
    subject: m.reason_sujet_revue,
    changed: m.reason_revue_modifie,
    deleted: m.reason_revue_supprime,
  },
  tables: {
    Revue: {
      // Unique indexes guard each of the two fields, but not one against the other.
      findRuleViolation(database, { id }) {
        const revue = found(readRevue(database, Number(id)));
        if (revue.issn !== null && revue.issn === revue.secondIssn)
          return { raison: m.reason_revue_deux_issn(), rows: [['Revue', revue.id]] };
        const rival = rivalOf(database, revue);
        return rival && { raison: m.reason_revue_meme_issn(), rows: [['Revue', rival.revue.id]] };
      },
      reasons: {
        taken: () => m.reason_revue_meme_issn(),
        gone: m.reason_revue_supprime,
      },
    },
  },
  exports: { revues: { projection, label: m.export_label_revues, restore } },
  // An invalid ISSN stays, and so does one whose hyphenated form is taken.
  renormaliser(tx) {
    let isOneTaken = false;
    const dashed = (id: number, text: string | null, beside: string | null): string | null => {
      const issn = parseIssn(text ?? '');
      const isTwice = issn !== null && issn === beside;
      const isTaken = isTwice || revueByIssn(tx, issn, id) !== undefined;
      isOneTaken ||= isTaken;
      return issn === null || isTaken ? text : issn;
    };
    const areRenewed = renewRows<Revue>(tx, 'Revue', ({ id, titre, issn, secondIssn }) => ({
      titre: renewedLine(titre),
      issn: dashed(id, issn, secondIssn),
    }));
    const areSecondRenewed = renewRows<Revue>(tx, 'Revue', ({ id, issn, secondIssn }) => ({
      secondIssn: dashed(id, secondIssn, issn),
    }));
    return areRenewed && areSecondRenewed && !isOneTaken;
  },
};

/** The dashed ISSN of a field, `null` when it is empty. Throws `ISSN_INVALIDE`. */
export function enteredIssn(text: string | null): string | null {
  if (text === null) return null;
  const issn = parseIssn(text);
  if (issn === null) throw new Refusal('ISSN_INVALIDE');
  return issn;
}

/** A single or repeated ISSN is stored as the first one. */
function readEntry(saisie: RevueSaisie) {
  const { titre, ...fields } = enteredFields(RevueSaisie, saisie);
  const entered = {
    issn: enteredIssn(fields.issn),
    secondIssn: enteredIssn(fields.secondIssn),
  };
  const [issn = null, secondIssn = null] = new Set(issnsOf(entered));
  return { titre, issn, secondIssn };
}

interface FoundRevue {
  readonly revue: Revue;
  readonly created: boolean;
  /** Whether an existing periodical received an ISSN. */
  readonly isFilled: boolean;
}

/**
 * Finds a periodical by one of its ISSNs, else by its title, or creates it. An existing one receives the given ISSNs
 * that are free, if it has room; another ISSN under the same title means another periodical (docs/rules.md § 20).
 *
 * @param others ids of periodicals with this title that are different ones
 * @param ownId the preserved id for a new one, if any
 */
export function findOrCreateRevue(
  tx: Transaction,
  saisie: RevueSaisie,
  others: ReadonlySet<number> = new Set(),
  ownId: () => number | null = () => null,
): FoundRevue {
  const entry = readEntry(saisie);
  const issns = issnsOf(entry);
  const [known = revueByTitre(tx, entry, others)] = issns.flatMap(
    (issn) => revueByIssn(tx, issn) ?? [],
  );
  if (known === undefined) {
    const id = insertRow(tx, 'Revue', { id: ownId(), ...entry });
    return { revue: { id, ...entry }, created: true, isFilled: false };
  }
  const present = issnsOf(known);
  const free = issns.filter((issn) => revueByIssn(tx, issn) === undefined);
  if (present.length === 2 || free.length === 0)
    return { revue: known, created: false, isFilled: false };
  const [issn = null, secondIssn = null] = [...present, ...free];
  updateRow(tx, 'Revue', known.id, { issn, secondIssn });
  return { revue: { ...known, issn, secondIssn }, created: false, isFilled: true };
}

/** The first without an ISSN, if several match. */
function revueByTitre(
  tx: Transaction,
  entry: Omit<Revue, 'id'>,
  others: ReadonlySet<number>,
): Revue | undefined {
  const hasNone = (revue: Omit<Revue, 'id'>) => issnsOf(revue).length === 0;
  const ofTitre = 'WHERE cle_texte(d.titre) = ? ORDER BY d.id';
  const possible = readDocuments(tx, projection, ofTitre, textKey(entry.titre)).filter(
    (revue) => !others.has(revue.id) && (hasNone(entry) || hasNone(revue)),
  );
  return possible.find(hasNone) ?? possible[0];
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

const suppression = operation(api.supprimerRevue, {
  may: 'household',
  holder: 'suppressionRevue',
  size: (database, { params }) =>
    database.value<number>('SELECT count(*) FROM Numero WHERE revueId = ?', params.id) ?? 0,
  run: (tx, { params }) => {
    supprimer(tx, params.id);
    return answer();
  },
});

export function routes(
  app: FastifyInstance,
  { database, numeroIndex }: { readonly database: Reader; readonly numeroIndex: LiveNumeroIndex },
): void {
  mount(app, [
    read(api.listerRevues, {
      may: 'household',
      run: () => numeroIndex.read((index) => index.revues),
    }),
    read(api.lireRevue, { may: 'household', run: ({ params }) => readRevue(database, params.id) }),
    operation(api.ajouterRevue, {
      may: 'household',
      run: (tx, { body }) => {
        const { revue, created } = findOrCreateRevue(tx, body);
        return answer(revue, { status: created ? 201 : 200 });
      },
    }),
    operation(api.modifierRevue, {
      may: 'household',
      run: (tx, { params: { id }, body }) => {
        found(readRevue(tx, id));
        const revue = readEntry(body);
        const rival = rivalOf(tx, { id, ...revue });
        if (rival !== null) throw new Refusal('REVUE_EXISTANTE', rival);
        updateRow(tx, 'Revue', id, revue);
        return answer(found(readRevue(tx, id)));
      },
    }),
    suppression,
  ]);
}
