import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import { localDay } from '#shared/days';
import { ExportSouhait } from '#shared/export';
import type { Livre } from '#shared/livres';
import { souhaiterPlace } from '#shared/series';
import * as api from '#shared/souhaits';
import { Souhait, SouhaitAchat, souhaitKeys, SouhaitSaisi, splitAuteurs } from '#shared/souhaits';
import type { Locale } from '#shared/locale';
import type { Config } from '#server/config';
import { formatSouhaits, type SouhaitLists } from '#shared/souhaits-text';
import { enteredCoverUrl, enteredFields, enteredIsbn } from '#server/plumbing/common/entry';
import { delimiterOf, formatRows } from '#server/plumbing/common/spreadsheet';
import {
  documentProjection,
  renewedIsbn,
  renewedLine,
  renewRows,
  type RowsWhere,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount, attach } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import type { RecordKind } from '#server/plumbing/records/kind';
import { PLACES_A_RECORD } from '#server/plumbing/writes/orders';
import { madeByDeletionOf } from '#server/plumbing/writes/traces';
import { COVER } from '#server/subjects/couvertures/cover-store';
import { ajouterLivre, copyChosenCover, listSimilaires } from '#server/subjects/livres/livres';
import { requireLivre } from '#server/subjects/livres/read';
import { passLecturesOfGone } from '#server/subjects/lectures';
import { requireManquant, placerAchat } from '#server/subjects/series';
import { PersonalList, wishKind } from './list.ts';
import { list as revues } from './revues.ts';

/** A wish without a cover shows the fallback of its ISBN (docs/rules.md § 17). */
const projection = documentProjection('Souhait', Souhait, {
  isbnAffiche: 'format_isbn(d.isbn)',
  coverUrl: 'coalesce(d.coverUrl, couverture_de_secours(d.isbn))',
  couverture: COVER,
});

const exportProjection = documentProjection('Souhait', ExportSouhait, { couverture: COVER });

function renewKeys(tx: Transaction, where?: RowsWhere): void {
  type WishRow = Souhait & ReturnType<typeof souhaitKeys>;
  const compute = (souhait: WishRow) => {
    const [titre, auteur] = [renewedLine(souhait.titre), renewedLine(souhait.auteur)];
    return { titre, auteur, isbn: renewedIsbn(souhait.isbn), ...souhaitKeys({ titre, auteur }) };
  };
  renewRows<WishRow>(tx, 'Souhait', compute, where);
}

/**
 * Wished books; a work of one author is in a list once. A client may send the shown fallback cover, of the old or the
 * new ISBN: it is never stored. A rewrite without a cover keeps the stored one.
 */
export const list = new PersonalList({
  projection,
  unique: ['Souhait.utilisateur', 'Souhait.cleOeuvre', 'Souhait.auteurNormalise'],
  renewKeys,
  readEntry: (saisie: SouhaitSaisi) => {
    const fields = enteredFields(SouhaitSaisi, saisie);
    return {
      ...fields,
      ...souhaitKeys(fields),
      isbn: enteredIsbn(fields.isbn),
      coverUrl: enteredCoverUrl(fields.coverUrl),
    };
  },
  onInsert: { coverUrl: 'nullif(@coverUrl, couverture_de_secours(@isbn))' },
  onUpdate: {
    coverUrl: `coalesce(
      nullif(nullif(@coverUrl, couverture_de_secours(@isbn)), couverture_de_secours(isbn)),
      coverUrl)`,
  },
});

export function souhaitIdByKeys(
  database: Reader,
  utilisateur: string,
  { cleOeuvre, auteurNormalise }: ReturnType<typeof souhaitKeys>,
): number | null {
  const sql =
    'SELECT id FROM Souhait WHERE utilisateur = ? AND cleOeuvre = ? AND auteurNormalise = ?';
  return database.value<number>(sql, utilisateur, cleOeuvre, auteurNormalise) ?? null;
}

export function writePlaceOfSouhait(tx: Transaction, souhaitId: number, placeId: number): void {
  tx.run('UPDATE Souhait SET placeId = ? WHERE id = ?', placeId, souhaitId);
}

const ordre = operation(api.ordonnerSouhaits, {
  may: 'self',
  holder: 'rangement',
  size: (_, { body }) => body.ids.length / PLACES_A_RECORD,
  run: (tx, { utilisateur, body }) => answer(list.reorder(tx, utilisateur, body.ids)),
});

export const kind: RecordKind<'souhaits'> = {
  projection,
  ...wishKind('Souhait', {
    derived: ['cleOeuvre', 'auteurNormalise'],
    notInHistory: ['dateAjout', 'couvertureCle'],
  }),
  findOeuvre: (database, id, utilisateur) => list.find(database, utilisateur ?? '', id),
  exports: { souhaits: { projection: exportProjection, label: m.export_label_souhaits } },
  // Not part of the result: a row whose new key is taken keeps its old one until that row is
  // deleted; another pass would not change it.
  renormaliser(tx) {
    renewKeys(tx);
    return true;
  },
};

/**
 * Turns a wish into a book, printed by default, and removes it from the list (docs/rules.md § 17). The wish provides
 * the defaults, except its fallback cover; a chosen picture is kept. The missing volume that the wish came from gets
 * the book. Throws `DOUBLON`, which leaves the wish.
 */
function acheter(
  tx: Transaction,
  { id, utilisateur }: { readonly id: number; readonly utilisateur: string },
  saisie: SouhaitAchat,
  confirmed: boolean,
): Livre {
  const souhait = list.get(tx, utilisateur, id);
  const stored = tx.get<{ coverUrl: string | null; placeId: number | null }>(
    'SELECT coverUrl, placeId FROM Souhait WHERE id = ?',
    id,
  );
  const achat = enteredFields(SouhaitAchat, saisie);
  const entry = {
    ...achat,
    titre: achat.titre ?? souhait.titre,
    format: achat.format ?? 'Physique',
    auteurs: achat.auteurs ?? splitAuteurs(souhait.auteur),
    isbn: achat.isbn ?? souhait.isbn,
    coverUrl: achat.coverUrl ?? stored?.coverUrl ?? null,
  };
  const livre = ajouterLivre(tx, entry, { confirmed, utilisateur });
  placerAchat(tx, livre, stored?.placeId ?? null);
  copyChosenCover(tx, id, livre.id);
  const before = livreOfEarlierAchat(tx, id, livre.id);
  if (before !== undefined) passLecturesOfGone(tx, before, livre.id);
  list.remove(tx, utilisateur, [id]);
  return requireLivre(tx, livre.id, utilisateur);
}

/** The book of an earlier, undone purchase of the same wish: an existing wish was not purchased. */
function livreOfEarlierAchat(
  database: Reader,
  souhaitId: number,
  livreId: number,
): number | undefined {
  const souhait = { table: 'Souhait', cle: String(souhaitId) };
  const [before] = madeByDeletionOf(database, souhait, 'Livre');
  if (before === undefined) return undefined;
  const same = database.value<number>(
    "SELECT 1 FROM Livre WHERE id = ? AND (nullif(cleOeuvre, '') = ? OR isbn = ?)",
    livreId,
    before['cleOeuvre'],
    before['isbn'],
  );
  return same === undefined ? undefined : Number(before['id']);
}

const suppression = operation(api.supprimerSouhait, {
  may: 'owner',
  holder: 'rangement',
  size: (database, { utilisateur, params }) =>
    list.countFrom(database, utilisateur, params.id) / PLACES_A_RECORD,
  run: (tx, { utilisateur, params }) => {
    list.remove(tx, utilisateur, [params.id]);
    return answer();
  },
});

const achat = operation(api.acheterSouhait, {
  may: 'owner',
  holder: 'rangement',
  size: (database, { utilisateur, params }) =>
    list.countFrom(database, utilisateur, params.id) / PLACES_A_RECORD,
  run: (tx, { utilisateur, params: { id }, query, body }) => {
    const confirmed = query.confirmerDoublon === true || body.confirmerDoublon === true;
    return answer(acheter(tx, { id, utilisateur }, body, confirmed));
  },
});

/** Both lists for a spreadsheet, books first (docs/rules.md § 18). */
function formatCsv({ souhaits, revues: issues }: SouhaitLists, locale: Locale): string {
  const head = [
    m.table_type,
    m.table_rang,
    m.table_titre,
    m.table_auteur,
    m.table_numero_revue,
    m.table_code,
  ];
  const [livre, revue] = [m.table_livre({}, { locale }), m.table_revue({}, { locale })];
  const rows = [
    head.map((say) => say({}, { locale })),
    ...souhaits.map((one) => [livre, one.rang, one.titre, one.auteur, null, one.isbnAffiche]),
    ...issues.map((one) => [revue, one.rang, one.titre, null, one.numero, one.issn]),
  ];
  return formatRows(rows, { delimiter: delimiterOf(locale), bom: true });
}

export function routes(
  app: FastifyInstance,
  { database, config }: { database: Reader; config: Pick<Config, 'locale'> },
): void {
  mount(app, [
    read(api.listerSouhaits, {
      may: 'self',
      run: ({ utilisateur }) => list.all(database, utilisateur),
    }),
    operation(api.ajouterSouhait, {
      may: 'self',
      run: (tx, { utilisateur, body }) => {
        const souhait = list.add(tx, utilisateur, body);
        const { cleOeuvre } = souhaitKeys(souhait);
        const { isbn, auteur } = souhait;
        const [livreId] = listSimilaires(tx, { isbn, cleOeuvre }, splitAuteurs(auteur)).sort(
          (a, b) => a - b,
        );
        return answer({ ...souhait, ...(livreId !== undefined && { livreId }) });
      },
    }),
    operation(api.modifierSouhait, {
      may: 'owner',
      run: (tx, { utilisateur, params, body }) =>
        answer(list.update(tx, utilisateur, params.id, body)),
    }),
    suppression,
    ordre,
    achat,
    // The wish for a missing volume notes the place for the day it is bought (docs/rules.md § 19).
    operation(souhaiterPlace, {
      may: 'self',
      run: (tx, { utilisateur, params }) => {
        const { titre, auteur, isbn } = requireManquant(tx, params.id);
        const souhait = list.add(tx, utilisateur, { titre, auteur, isbn });
        writePlaceOfSouhait(tx, souhait.id, params.id);
        return answer(souhait);
      },
    }),
  ]);

  const listsOf = (utilisateur: string): SouhaitLists =>
    database.read(() => ({
      souhaits: list.all(database, utilisateur),
      revues: revues.all(database, utilisateur),
    }));
  // In the service's time zone (`TZ`).
  const today = (): string => localDay(new Date());
  mount(app, [
    read(api.exporterSouhaitsText, {
      may: 'self',
      run: ({ utilisateur, reply }) => {
        attach(reply, 'text/plain', `${m.table_souhaits_file({ day: today() })}.txt`);
        return formatSouhaits(listsOf(utilisateur), new Date());
      },
    }),
    read(api.exporterSouhaitsCsv, {
      may: 'self',
      run: ({ utilisateur, reply }) => {
        attach(reply, 'text/csv', `${m.table_souhaits_file({ day: today() })}.csv`);
        return formatCsv(listsOf(utilisateur), config.locale);
      },
    }),
  ]);
}
