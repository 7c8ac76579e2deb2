import type { AuteurDocument } from './auteurs.ts';
import type { Couverture } from './couvertures.ts';
import type { Emplacement } from './emplacements.ts';
import type { ExportKind, ExportRecord } from './export.ts';
import type { Lecture } from './lectures.ts';
import type { LivreDocument } from './livres.ts';
import type { Numero } from './numeros.ts';
import type { Pret } from './prets.ts';
import type { Revue } from './revues.ts';
import type { Objectif } from './objectifs.ts';
import type { Selection } from './selections.ts';
import type { Serie } from './series.ts';
import type { RevueSouhaitee } from './souhaits-revues.ts';
import type { Souhait } from './souhaits.ts';
import type { Statut } from './statuts.ts';

type Table<T> = ReadonlyMap<number, T>;

/** The records of a replica, for an export without the server (docs/rules.md § 41). */
export interface CopyRecords {
  readonly livres: readonly LivreDocument[];
  readonly auteurs: Table<AuteurDocument>;
  readonly prets: Table<Pret>;
  readonly series: Table<Serie>;
  readonly emplacements: Table<Emplacement>;
  readonly revues: Table<Revue>;
  readonly numeros: Table<Numero>;
  readonly statuts: Table<Statut>;
  readonly lectures: Table<Lecture>;
  readonly souhaits: Table<Souhait>;
  readonly 'souhaits-revues': Table<RevueSouhaitee>;
  readonly selections: Table<Selection>;
  readonly objectifs: Table<Objectif>;
}

/** The kinds in a replica, in the order of restoring them: refused merges of authors are missing. */
type CopyKind = Exclude<ExportKind, 'refus'>;

/** The records of one file of the export, with their number. */
interface CopyFile<K extends CopyKind> {
  readonly kind: K;
  readonly count: number;
  readonly records: () => Iterable<ExportRecord<K>>;
}
export type AnyCopyFile = { readonly [K in CopyKind]: CopyFile<K> }[CopyKind];

const byId = <T extends { readonly id: number }>(records: Iterable<T>): T[] =>
  [...records].sort((a, b) => a.id - b.id);

/**
 * The files of an export, from a replica.
 *
 * @param coverOf the cover in the archive, `null` without one
 */
export function copyFiles(
  copy: CopyRecords,
  coverOf: (couverture: Couverture) => Couverture | null,
): readonly AnyCopyFile[] {
  const covered = <T extends { readonly couverture: Couverture | null }>(record: T): T => ({
    ...record,
    couverture: record.couverture && coverOf(record.couverture),
  });
  return [
    fileOf('auteurs', copy.auteurs.values(), ({ id, nom }) => ({ id, nom, formePleine: null })),
    fileOf('emplacements', copy.emplacements.values(), (emplacement) => emplacement),
    fileOf('livres', copy.livres, livreOf(copy, covered)),
    fileOf('series', copy.series.values(), serieOf(copy.series)),
    fileOf('revues', copy.revues.values(), (revue) => revue),
    fileOf('numeros', copy.numeros.values(), covered),
    fileOf('souhaits', copy.souhaits.values(), ({ isbnAffiche: _, ...souhait }) => ({
      ...covered(souhait),
      placeId: null,
    })),
    fileOf('souhaits-revues', copy['souhaits-revues'].values(), (revue) => revue),
    fileOf('lectures', copy.lectures.values(), (lecture) => lecture),
    fileOf('selections', copy.selections.values(), (selection) => selection),
    fileOf('objectifs', copy.objectifs.values(), (objectif) => objectif),
  ];
}

function fileOf<K extends CopyKind, T extends { readonly id: number }>(
  kind: K,
  documents: Iterable<T>,
  exported: (record: T) => ExportRecord<K>,
): CopyFile<K> {
  const sorted = byId(documents);
  return {
    kind,
    count: sorted.length,
    *records() {
      for (const record of sorted) yield exported(record);
    },
  };
}

function livreOf(
  { prets, statuts }: CopyRecords,
  covered: (livre: LivreDocument) => LivreDocument,
): (livre: LivreDocument) => ExportRecord<'livres'> {
  const pretsOf = Map.groupBy(byId(prets.values()), ({ livreId }) => livreId);
  return (livre) => {
    const { titreNormalise: _t, isbnAffiche: _i, ...fields } = covered(livre);
    return {
      ...fields,
      statut: statuts.get(livre.id) ?? null,
      prets: (pretsOf.get(livre.id) ?? []).map(({ livreId: _, ...pret }) => pret),
    };
  };
}

/** Places and sub-series share one order, which a replica has as `elements`. */
function serieOf(series: Table<Serie>): (serie: Serie) => ExportRecord<'series'> {
  const inParent = new Map<number, number>();
  for (const { elements } of series.values())
    for (const [position, element] of elements.entries())
      if ('serie' in element) inParent.set(element.serie, position);
  return ({ id, titre, parentId, nombreTomes, places, elements }) => {
    const positions = new Map(
      elements.map((element, position) => ['place' in element ? element.place : 0, position]),
    );
    const position = inParent.get(id) ?? 0;
    return {
      id,
      titre,
      parentId,
      nombreTomes,
      position,
      places: places.map((place) => ({ ...place, position: positions.get(place.id) ?? 0 })),
    };
  };
}
