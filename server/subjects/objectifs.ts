import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import * as api from '#shared/objectifs';
import { Objectif, type ObjectifSaisi } from '#shared/objectifs';
import { found, Refusal } from '#shared/refusals';
import {
  documentProjection,
  insertRow,
  readDocument,
  readDocuments,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import type { RecordKind, Restore } from '#server/plumbing/records/kind';

const projection = documentProjection('Objectif', Objectif);

const ofYear = (database: Reader, utilisateur: string, annee: string): Objectif | undefined =>
  readDocument(database, projection, 'WHERE d.utilisateur = ? AND d.annee = ?', utilisateur, annee);

function fixer(tx: Transaction, utilisateur: string, saisie: ObjectifSaisi): Objectif {
  const { annee, unite, nombre } = saisie;
  const known = ofYear(tx, utilisateur, annee);
  if (known === undefined) insertRow(tx, 'Objectif', { utilisateur, annee, unite, nombre });
  else tx.run('UPDATE Objectif SET unite = ?, nombre = ? WHERE id = ?', unite, nombre, known.id);
  return found(ofYear(tx, utilisateur, annee));
}

/** A year that has a goal keeps it. */
const restore: Restore<Objectif> = (tx, objectifs, { utilisateur, ownId }) => {
  if (utilisateur === null) return [];
  return objectifs.flatMap(({ id, annee, unite, nombre }) =>
    ofYear(tx, utilisateur, annee) === undefined
      ? [
          {
            id: insertRow(tx, 'Objectif', {
              id: ownId('Objectif', id),
              utilisateur,
              annee,
              unite,
              nombre,
            }),
          },
        ]
      : [],
  );
};

export const kind: RecordKind<'objectifs'> = {
  projection,
  owner: 'utilisateur',
  naming: {
    column: 'annee',
    subject: m.reason_sujet_objectif,
    changed: m.reason_objectif_modifie,
    deleted: m.reason_objectif_supprime,
  },
  tables: { Objectif: { reasons: { taken: () => m.reason_objectif_annee() } } },
  exports: { objectifs: { projection, label: m.export_label_objectifs, restore } },
};

export function routes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, [
    read(api.listerObjectifs, {
      may: 'self',
      run: ({ utilisateur }) =>
        readDocuments(
          database,
          projection,
          'WHERE d.utilisateur = ? ORDER BY d.annee',
          utilisateur,
        ),
    }),
    operation(api.fixerObjectif, {
      may: 'self',
      run: (tx, { utilisateur, body }) => answer(fixer(tx, utilisateur, body)),
    }),
    operation(api.retirerObjectif, {
      may: 'owner',
      run: (tx, { utilisateur, params }) => {
        const sql = 'DELETE FROM Objectif WHERE id = ? AND utilisateur = ?';
        if (tx.run(sql, params.id, utilisateur).changes === 0) throw new Refusal('INTROUVABLE');
        return answer();
      },
    }),
  ]);
}
