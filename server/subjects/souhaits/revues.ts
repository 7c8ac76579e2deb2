import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import type { ExportRevueSouhaitee } from '#shared/export';
import { parseIssn } from '#shared/issn';
import type { Numero } from '#shared/numeros';
import { champRefusal } from '#shared/refusals';
import * as api from '#shared/souhaits-revues';
import {
  RevueSouhaitee,
  RevueSouhaiteeAchat,
  RevueSouhaiteeSaisie,
  revueSouhaiteeKey,
  revueSouhaiteeKeys,
} from '#shared/souhaits-revues';
import { enteredFields } from '#server/plumbing/common/entry';
import {
  documentProjection,
  renewedLine,
  renewRows,
  type RowsWhere,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { PLACES_A_RECORD } from '#server/plumbing/writes/orders';
import type { RecordKind, Restore } from '#server/plumbing/records/kind';
import { ajouterNumero } from '#server/subjects/revues/numeros';
import { enteredIssn, findOrCreateRevue } from '#server/subjects/revues/revues';
import { PersonalList, wishKind } from './list.ts';

const projection = documentProjection('RevueSouhaitee', RevueSouhaitee);

type WishRow = RevueSouhaitee & ReturnType<typeof revueSouhaiteeKeys>;

function renewKeys(tx: Transaction, where?: RowsWhere): void {
  const compute = (wish: WishRow) => {
    const [titre, numero] = [renewedLine(wish.titre), renewedLine(wish.numero)];
    return { titre, numero, ...revueSouhaiteeKeys({ titre, numero }) };
  };
  renewRows<WishRow>(tx, 'RevueSouhaitee', compute, where);
}

/** Wished periodicals; an issue, « no number » being one, is in a list once. */
export const list = new PersonalList({
  projection,
  unique: [
    'RevueSouhaitee.utilisateur',
    'RevueSouhaitee.cleOeuvre',
    'RevueSouhaitee.numeroNormalise',
  ],
  renewKeys,
  readEntry: (saisie: RevueSouhaiteeSaisie) => {
    const fields = enteredFields(RevueSouhaiteeSaisie, saisie);
    return { ...fields, ...revueSouhaiteeKeys(fields), issn: enteredIssn(fields.issn) };
  },
});

/** Restored wishes follow those of the list, in their former order. */
const restore: Restore<ExportRevueSouhaitee> = (tx, revues, { utilisateur, ownId }) => {
  if (utilisateur === null) return [];
  const known = new Set(list.all(tx, utilisateur).map(revueSouhaiteeKey));
  const made = revues
    .toSorted((a, b) => a.rang - b.rang)
    .flatMap(({ id, titre, numero, issn, dateAjout }) => {
      const key = revueSouhaiteeKey({ titre, numero });
      if (known.has(key)) return [];
      known.add(key);
      const fields = { titre, numero, issn, ...revueSouhaiteeKeys({ titre, numero }) };
      const former = { dateAjout, id: ownId('RevueSouhaitee', id) };
      return { id: list.insert(tx, utilisateur, fields, former) };
    });
  // Preserved ids are in no order.
  if (made.length > 0) list.rank(tx, utilisateur, list.ids(tx, utilisateur));
  return made;
};

export const kind: RecordKind<'souhaits-revues'> = {
  projection,
  ...wishKind('RevueSouhaitee', {
    derived: ['cleOeuvre', 'numeroNormalise'],
    notInHistory: ['dateAjout'],
  }),
  exports: { 'souhaits-revues': { projection, label: m.export_label_souhaits_revues, restore } },
  // A text that is no ISSN stays.
  renormaliser(tx) {
    // Not part of the result: a row whose new key is taken keeps its old one until that row is
    // deleted; another pass would not change it.
    renewKeys(tx);
    return renewRows<WishRow>(tx, 'RevueSouhaitee', ({ issn }) => ({
      issn: issn === null ? null : (parseIssn(issn) ?? issn),
    }));
  },
};

const ordre = operation(api.ordonnerRevuesSouhaitees, {
  may: 'self',
  holder: 'rangement',
  size: (_, { body }) => body.ids.length / PLACES_A_RECORD,
  run: (tx, { utilisateur, body }) => answer(list.reorder(tx, utilisateur, body.ids)),
});

const suppression = operation(api.supprimerRevueSouhaitee, {
  may: 'owner',
  holder: 'rangement',
  size: (database, { utilisateur, params }) =>
    list.countFrom(database, utilisateur, params.id) / PLACES_A_RECORD,
  run: (tx, { utilisateur, params }) => {
    list.remove(tx, utilisateur, [params.id]);
    return answer();
  },
});

const achat = operation(api.acheterRevueSouhaitee, {
  may: 'owner',
  holder: 'rangement',
  size: (database, { utilisateur, params }) =>
    list.countFrom(database, utilisateur, params.id) / PLACES_A_RECORD,
  run: (tx, { utilisateur, params, body }) =>
    answer(acheter(tx, { id: params.id, utilisateur }, body)),
});

/** The wish's number is the default; NUMERO_EXISTANT leaves the wish (docs/rules.md § 29). */
function acheter(
  tx: Transaction,
  { id, utilisateur }: { readonly id: number; readonly utilisateur: string },
  saisie: RevueSouhaiteeAchat,
): Numero {
  const { titre, issn, ...souhait } = list.get(tx, utilisateur, id);
  const achat = enteredFields(RevueSouhaiteeAchat, saisie);
  const numero = achat.numero ?? souhait.numero;
  if (numero === null) throw champRefusal('numero', 'NECESSAIRE');
  // Older rules accepted wishes with an invalid ISSN.
  const revue = { titre, issn: issn === null ? null : parseIssn(issn) };
  const { id: revueId } = findOrCreateRevue(tx, revue).revue;
  const bought = ajouterNumero(tx, revueId, { ...achat, numero });
  list.remove(tx, utilisateur, [id]);
  return bought;
}

export function routes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, [
    read(api.listerRevuesSouhaitees, {
      may: 'self',
      run: ({ utilisateur }) => list.all(database, utilisateur),
    }),
    operation(api.ajouterRevueSouhaitee, {
      may: 'self',
      run: (tx, { utilisateur, body }) => answer(list.add(tx, utilisateur, body)),
    }),
    operation(api.modifierRevueSouhaitee, {
      may: 'owner',
      run: (tx, { utilisateur, params, body }) =>
        answer(list.update(tx, utilisateur, params.id, body)),
    }),
    suppression,
    ordre,
    achat,
  ]);
}
