import type { Static, TObject } from 'typebox';
import { AuteurRef } from '#shared/auteurs';
import {
  exportKinds,
  ExportAuteur,
  ExportLivre,
  ExportSerie,
  ExportSouhait,
  type ExportKind,
  type ExportRecord,
  type ExportRefus,
} from '#shared/export';
import {
  coverExpression,
  documentSource,
  jsonObject,
  type DocumentSource,
} from '#server/database/columns';
import type { Snapshot } from '#server/database/snapshot';
import { numeroSource } from '#server/revues/store/numeros';
import { revueSource } from '#server/revues/store/revues';

/** Records read at a time. */
const PAGE = 500;

/** How the records of a kind are read. */
interface Reading<D> {
  readonly source: Pick<DocumentSource<D>, 'table' | 'select' | 'toDocument'>;
  /** True where only the caller's own records are exported. */
  readonly isPersonal?: true;
}

const plain = <S extends TObject>(
  table: string,
  schema: S,
  expressions?: Readonly<Record<string, string>>,
): Reading<Static<S>> => ({ source: documentSource(table, schema, expressions) });

/** SQL of the kept cover of a book or a wish. */
const couverture = coverExpression("coalesce(d.coverUrl, 'isbn:' || d.isbn)");

const livreReading = plain('Livre', ExportLivre, {
  couverture,
  auteurs: `(SELECT json_group_array(${jsonObject(AuteurRef, 'a')} ORDER BY la.position)
    FROM LivreAuteur la JOIN Auteur a ON a.id = la.auteurId WHERE la.livreId = d.id)`,
  statut: `(SELECT s.statut FROM Statut s
    WHERE s.livreId = d.id AND s.utilisateur = @utilisateur)`,
  prets: `(SELECT json_group_array(
      ${jsonObject(ExportLivre.properties.prets.items, 'p')} ORDER BY p.id)
    FROM Pret p WHERE p.livreId = d.id)`,
});

/** Refused merges have no id, and are read as a whole. */
type KeyedKind = Exclude<ExportKind, 'refus'>;

const readings: { readonly [K in KeyedKind]: Reading<ExportRecord<K>> } = {
  auteurs: plain('Auteur', ExportAuteur),
  livres: livreReading,
  series: plain('Serie', ExportSerie, {
    places: `(SELECT json_group_array(
        ${jsonObject(ExportSerie.properties.places.items, 'p')} ORDER BY p.position, p.id)
      FROM Place p WHERE p.serieId = d.id)`,
  }),
  revues: { source: revueSource },
  numeros: { source: numeroSource },
  souhaits: { ...plain('Souhait', ExportSouhait, { couverture }), isPersonal: true },
  'souhaits-revues': {
    ...plain('RevueSouhaitee', exportKinds['souhaits-revues']),
    isPersonal: true,
  },
};

const ownOnly = (kind: KeyedKind): string =>
  readings[kind].isPersonal === true ? 'd.utilisateur = @utilisateur' : 'TRUE';

/** How many records of a kind there are for a reader; `null` is nobody. */
export function countRecords(
  snapshot: Snapshot,
  kind: ExportKind,
  utilisateur: string | null,
): number {
  const [row] = snapshot.all(
    kind === 'refus'
      ? 'SELECT count(*) AS count FROM FusionRefusee'
      : `SELECT count(*) AS count FROM ${readings[kind].source.table} d WHERE ${ownOnly(kind)}`,
    { utilisateur },
  );
  return Number(Reflect.get(Object(row), 'count'));
}

/** The records of a kind in pages, by id. */
export function* readRecords<K extends KeyedKind>(
  snapshot: Snapshot,
  kind: K,
  utilisateur: string | null,
): Generator<ExportRecord<K>[]> {
  const { source } = readings[kind];
  const sql = `${source.select} WHERE d.id > @after AND ${ownOnly(kind)}
    ORDER BY d.id LIMIT ${PAGE}`;
  let after = 0;
  for (;;) {
    const rows = snapshot.all(sql, { after, utilisateur });
    if (rows.length > 0) yield rows.map(source.toDocument);
    if (rows.length < PAGE) return;
    after = Number(Reflect.get(Object(rows.at(-1)), 'id'));
  }
}

/** The keys of the covers that the records of an export show. */
export function readCovers(snapshot: Snapshot, utilisateur: string | null): Set<string> {
  const rows = snapshot.all(
    `SELECT couverture ->> 'cle' AS cle FROM (
       SELECT ${couverture} AS couverture FROM Livre d
       UNION ALL SELECT ${coverExpression('d.coverUrl')} FROM Numero d
       UNION ALL SELECT ${couverture} FROM Souhait d WHERE d.utilisateur = @utilisateur)
     WHERE couverture IS NOT NULL`,
    { utilisateur },
  );
  return new Set(rows.map((row) => String(Reflect.get(Object(row), 'cle'))));
}

/** Every refused merge. */
export const readRefus = (snapshot: Snapshot): ExportRefus[] =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the two columns are the whole record
  snapshot.all(
    'SELECT premierId, secondId FROM FusionRefusee ORDER BY premierId, secondId',
    {},
  ) as ExportRefus[];

/** The volumes of series that books stand in: their series' title and their number. */
export function readTomes(
  snapshot: Snapshot,
  livreIds: readonly number[],
): { livreId: number; serie: string; numero: string | null }[] {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the columns are those of the type
  return snapshot.all(
    `SELECT p.livreId, s.titre AS serie, p.numero FROM Place p JOIN Serie s ON s.id = p.serieId
     WHERE p.livreId IN (SELECT value FROM json_each(@ids)) ORDER BY p.id`,
    { ids: JSON.stringify(livreIds) },
  ) as { livreId: number; serie: string; numero: string | null }[];
}
