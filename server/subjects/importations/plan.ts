import type { ExportSerie } from '#shared/export';
import { emptyToNull } from '#shared/fields';
import type { RowOutcome } from '#shared/importations';
import { parseIsbn } from '#shared/isbn';
import { objectKeys } from '#shared/object-keys';
import { abbreviates, parseNom, type NomForm } from '#shared/nom-form';
import { arrangeVolumes, isSameNumero, type Volume } from '#shared/series-fit';
import { joinAuteurs, souhaitKey, souhaitKeys, splitAuteurs } from '#shared/souhaits';
import { cleOeuvre, cleRegroupement, normaliser, textKey } from '#shared/text';
import type { Reader } from '#server/plumbing/database/connection';
import { lackingFields, listSimilaires, type KnownFields } from '#server/subjects/livres/livres';
import {
  livreIdsByIsbn,
  openPretOfLivre,
  ownedCles,
  readEmplacementId,
} from '#server/subjects/livres/source';
import { pretsOfLivre } from '#server/subjects/prets';
import { placesOfLivre } from '#server/subjects/series/placement';
import { listSerieTitres, readSerie } from '#server/subjects/series/series';
import { souhaitIdByKeys } from '#server/subjects/souhaits/souhaits';
import { readStatut } from '#server/subjects/lectures';
import type { ReadRow, Row, SerieRef } from './rows.ts';

/** What becomes of one row, and what it changes besides. */
export interface PlannedRow {
  readonly sort: RowOutcome;
  /** The household's book that it is. */
  readonly livreId: number | null;
  /** The earlier row of the same file that it is. */
  readonly twin: number | null;
  readonly raison: string | null;
  readonly setsStatut: boolean;
  readonly opensPret: boolean;
  /** What the household's book gets, as it lacks it. */
  readonly fills: Fills;
  readonly avertissements: readonly string[];
}

/** What a row knows of a book of the household that this lacks. */
interface Fills extends Partial<KnownFields> {
  readonly emplacement?: readonly string[];
}

const FILLED: Readonly<Record<keyof Fills, string>> = {
  auteurs: 'auteurs',
  isbn: 'ISBN',
  editeur: 'éditeur',
  annee: 'année',
  nombrePages: 'pages',
  emplacement: 'emplacement',
  themes: 'thèmes',
};

/** A row that is to be planned. */
interface RowToPlan {
  readonly ligne: number;
  readonly read: ReadRow;
  /** True where a book is wanted although it resembles another. */
  readonly wantsTwin?: boolean;
}

/** The same with what it is compared by. */
interface KeyedRow extends RowToPlan {
  readonly cle: string;
  readonly noms: Noms;
}

const keyed = <R extends RowToPlan>(row: R): R & KeyedRow => ({
  ...row,
  cle: cleOeuvre(row.read.row.titre),
  noms: new Noms(row.read.row.auteurs),
});

/** The fields of a wish: all its authors are one text. */
export const souhaitOf = ({ titre, auteurs, isbn }: Row) => ({
  titre,
  auteur: joinAuteurs(auteurs),
  isbn,
});

interface PlannedLivre {
  readonly ligne: number;
  readonly row: Row;
  readonly cle: string;
  readonly noms: Noms;
}

/** Marks the rows of one ISBN that have different titles or numbers: a set has one ISBN for all of its volumes. */
export function markSets(rows: readonly ReadRow[]): readonly ReadRow[] {
  const byIsbn = Map.groupBy(
    rows.filter(({ row }) => row.isbn !== null && row.titre !== '' && row.kept === undefined),
    ({ row }) => row.isbn,
  );
  const marked = new Set<ReadRow>();
  for (const same of byIsbn.values())
    if (new Set(same.map(({ row }) => volumeKey(row))).size > 1)
      for (const read of same) marked.add(read);
  return marked.size === 0
    ? rows
    : rows.map((read) =>
        marked.has(read) ? { ...read, row: { ...read.row, isOfSet: true as const } } : read,
      );
}

const volumeKey = ({ titre, series }: Row): string =>
  [cleOeuvre(titre), ...series.map(({ numero }) => numero ?? '')].join('\n');

/** Whether a row has no title but that of its series: its number alone tells which volume it is. */
const isBareVolume = ({ titre }: Row, serie: SerieRef): boolean =>
  serie.numero !== null && cleOeuvre(titre) === cleOeuvre(serie.titre);

/** Whether two rows are volumes of one series that nothing but their numbers tells apart. */
const areOtherVolumes = (a: Row, b: Row): boolean =>
  a.series
    .filter((serie) => isBareVolume(a, serie))
    .some(({ titre, numero }) =>
      b.series.some(
        (other) =>
          numero !== null &&
          other.numero !== null &&
          textKey(other.titre) === textKey(titre) &&
          !isSameNumero(numero, other.numero),
      ),
    );

/**
 * Decides row by row what becomes of a file, against the household and the rows before
 * (docs/rules.md § 36). Writes nothing; the household must not change meanwhile.
 */
export class Planner {
  readonly series: SeriePlan;
  /** What is to be said of the rows that were planned, by the number of each. */
  readonly avertissements: { readonly ligne: number; readonly raison: string }[] = [];
  readonly #database: Reader;
  readonly #utilisateur: string | null;
  readonly #byIsbn = new Map<string, PlannedLivre[]>();
  readonly #byCle = new Map<string, PlannedLivre[]>();
  readonly #souhaits = new Map<string, number>();
  /** What the household owns of the rows that are being planned. */
  #ownedByIsbn: ReadonlyMap<string, number> = new Map();
  #ownedCles: ReadonlySet<string> = new Set();
  /** The keys (`originKey`) of the books of a household's export. */
  readonly #origins = new Set<string>();
  /** The books that the ids of an export stand for. */
  readonly #exported = new Map<number, PlaceTarget>();
  /** The books whose status or loan is settled, by `livre 3` or `ligne 7`. */
  readonly #withStatut = new Set<string>();
  readonly #withPret = new Set<string>();
  /** The fields that books of the household get, by book. */
  readonly #filled = new Map<number, Set<string>>();

  /** @param ignoredSeries titles of series that are not to be made or extended */
  constructor(database: Reader, utilisateur: string | null, ignoredSeries: readonly string[] = []) {
    this.#database = database;
    this.#utilisateur = utilisateur;
    this.series = new SeriePlan(database, ignoredSeries);
  }

  /** Plans the next rows of the file. */
  planAll<R extends RowToPlan>(rows: readonly R[]): (R & { readonly planned: PlannedRow })[] {
    const all = rows.map(keyed);
    this.#prefetch(all);
    return all.map((row) => {
      const planned = this.#plan(row);
      for (const raison of [...row.read.avertissements, ...planned.avertissements])
        this.avertissements.push({ ligne: row.ligne, raison });
      const exported = planned.sort === 'refuse' ? undefined : row.read.row.kept?.livre;
      if (exported) {
        const { livreId, twin } = planned;
        this.#exported.set(exported.id, { ligne: twin ?? row.ligne, livreId });
      }
      return { ...row, planned };
    });
  }

  /** Plans the series of a household's export, once its rows are planned. */
  planExported(series: readonly ExportSerie[]): void {
    this.series.addExported(series, (id) => this.#exported.get(id) ?? null);
  }

  /**
   * Notes the books of a household's export, before any of its rows is planned: two records of it are
   * two books, so that none is taken for one that an earlier import has made of another.
   */
  noteOrigins(rows: readonly Row[]): void {
    for (const { kept } of rows)
      if (kept?.livre)
        this.#origins.add(originKey(normaliser(kept.livre.titre), kept.livre.dateAjout));
  }

  /** Asks the household about many rows at once. */
  #prefetch(rows: readonly KeyedRow[]): void {
    const isbns = rows.flatMap(({ read }) => read.row.isbn ?? []);
    this.#ownedByIsbn = livreIdsByIsbn(this.#database, isbns);
    const cles = rows.map(({ cle }) => cle);
    this.#ownedCles = ownedCles(this.#database, cles);
  }

  #plan(one: KeyedRow): PlannedRow {
    const { ligne, read, wantsTwin } = one;
    const { row, refus, isPending } = read;
    if (isPending) return this.#planPending(one);
    if (refus !== null) return outcome('refuse', { raison: refus });
    if (row.isSouhait) return this.#planSouhait(ligne, row);
    const found = wantsTwin === true ? null : this.#find(one);
    if (found === null) return this.#planNew(one);
    const target = found.twin === null ? `livre ${found.livreId ?? 0}` : `ligne ${found.twin}`;
    this.series.add(row, { ligne: found.twin ?? ligne, livreId: found.livreId });
    const fills = found.livreId === null ? {} : this.#planFills(found.livreId, row);
    const filled = objectKeys(fills).map((field) => FILLED[field]);
    const raison =
      filled.length === 0 ? found.raison : `${found.raison ?? ''}, complété : ${filled.join(', ')}`;
    const rest = this.#planRest(target, row, found.livreId);
    return outcome('present', { ...found, raison, fills, ...rest });
  }

  /** What a book of the household gets of a row; each field of the first row that has it. */
  #planFills(livreId: number, row: Row): Fills {
    // What a household's export has beside a book that is there stays out (docs/rules.md § 41).
    if (row.kept !== undefined) return {};
    const { auteurs, isbn, editeur, annee, nombrePages, emplacement = [], themes = [] } = row;
    const known = { auteurs, isbn, editeur, annee, nombrePages, themes };
    const lacksPlace =
      emplacement.length > 0 && readEmplacementId(this.#database, livreId) === null;
    const lacking: Fills = {
      ...lackingFields(this.#database, livreId, known),
      ...(lacksPlace && { emplacement }),
    };
    const filled = this.#filled.get(livreId) ?? new Set();
    const fills = Object.entries(lacking).filter(([field]) => !filled.has(field));
    this.#filled.set(livreId, new Set([...filled, ...fills.map(([field]) => field)]));
    return Object.fromEntries(fills);
  }

  /** A row of which only the ISBN is known: it is refused until the catalogues answer. */
  #planPending(one: KeyedRow): PlannedRow {
    const found = this.#find(one);
    if (found !== null) return outcome('present', found);
    this.#remember({ ...one, cle: '' });
    return outcome('refuse', { raison: one.read.refus });
  }

  #planNew(one: KeyedRow): PlannedRow {
    const { ligne, cle, noms } = one;
    const { row } = one.read;
    const other = this.#byCle.get(cle)?.find((planned) => planned.noms.sharesWith(noms));
    const [sameIsbn] = this.#byIsbn.get(row.isbn ?? '') ?? [];
    this.#remember(one);
    this.series.add(row, { ligne, livreId: null });
    const rest = this.#planRest(`ligne ${ligne}`, row, null);
    const twinSaid = (): string[] => {
      if (row.kept !== undefined) return [];
      if (sameIsbn !== undefined)
        return [`même ISBN que la ligne ${sameIsbn.ligne}, autre titre ou numéro : deux livres`];
      return other === undefined || cle === '' || areOtherVolumes(other.row, row)
        ? []
        : [`même œuvre que la ligne ${other.ligne}, sous un autre ISBN : deux livres`];
    };
    return outcome('nouveau', { ...rest, avertissements: [...rest.avertissements, ...twinSaid()] });
  }

  #remember({ ligne, read: { row }, cle, noms }: KeyedRow): void {
    const planned = { ligne, row, cle, noms };
    if (row.isbn !== null) pushTo(this.#byIsbn, row.isbn, planned);
    if (cle !== '') pushTo(this.#byCle, cle, planned);
  }

  /** The book that a row is: the household's, or that of an earlier row. */
  #find(one: KeyedRow): Pick<PlannedRow, 'livreId' | 'twin' | 'raison'> | null {
    const earlier = this.#findEarlier(one);
    if (earlier !== undefined)
      return { livreId: null, twin: earlier.ligne, raison: `déjà à la ligne ${earlier.ligne}` };
    const livreId = this.#findOwned(one);
    return livreId === null ? null : { livreId, twin: null, raison: 'déjà dans la bibliothèque' };
  }

  #findEarlier({ read: { row }, cle, noms }: KeyedRow): PlannedLivre | undefined {
    // An export has one record a book: two of them are never the same book.
    if (row.kept !== undefined) return undefined;
    const same = this.#byIsbn
      .get(row.isbn ?? '')
      ?.find((other) => row.isOfSet === undefined || volumeKey(other.row) === volumeKey(row));
    if (same !== undefined) return same;
    return this.#byCle
      .get(cle)
      ?.find(
        (other) =>
          (row.isbn === null || other.row.isbn === null) &&
          other.noms.sharesWith(noms) &&
          !areOtherVolumes(other.row, row),
      );
  }

  #findOwned(one: KeyedRow): number | null {
    const { row } = one.read;
    const { cle } = one;
    const itself = row.kept?.livre && livreIdByOrigin(this.#database, row.kept.livre);
    if (itself !== undefined) return itself;
    const sameIsbn = row.isbn === null || row.isOfSet ? undefined : this.#ownedByIsbn.get(row.isbn);
    if (sameIsbn !== undefined && !this.#isAnother(row, sameIsbn)) return sameIsbn;
    if (cle === '' && row.isbn === null && row.titre !== '')
      return livreIdByBareTitre(this.#database, row.titre);
    if (!this.#ownedCles.has(cle)) return null;
    const livre = { isbn: row.isbn, cleOeuvre: cle };
    const similar = listSimilaires(this.#database, livre, row.auteurs);
    return similar.find((id) => !this.#isAnother(row, id) && this.#isSameVolume(one, id)) ?? null;
  }

  /** Whether a book has not another number in a series of the row, nor, in a set, another title. */
  #isSameVolume({ read: { row }, cle }: KeyedRow, livreId: number): boolean {
    const others = row.series.filter((serie) => isBareVolume(row, serie));
    if (others.some((serie) => this.series.hasOtherNumero(serie, livreId))) return false;
    return row.isOfSet === undefined || cleOfLivre(this.#database, livreId) === cle;
  }

  /** Whether a book is the one that another record of the same export tells of. */
  #isAnother(row: Row, livreId: number): boolean {
    return row.kept !== undefined && this.#origins.has(originOfLivre(this.#database, livreId));
  }

  #planSouhait(ligne: number, row: Row): PlannedRow {
    if (this.#utilisateur === null)
      return outcome('refuse', {
        raison: 'un souhait est personnel, et rien ne dit qui vous êtes',
      });
    const souhait = souhaitOf(row);
    const key = souhaitKey(souhait);
    const earlier = this.#souhaits.get(key);
    if (earlier !== undefined) return outcome('present', { raison: `déjà à la ligne ${earlier}` });
    if (souhaitIdByKeys(this.#database, this.#utilisateur, souhaitKeys(souhait)) !== null)
      return outcome('present', { raison: 'déjà dans la liste de souhaits' });
    this.#souhaits.set(key, ligne);
    return outcome('souhait', {});
  }

  /** The status and the loan that come with a book. */
  #planRest(
    target: string,
    row: Row,
    livreId: number | null,
  ): Pick<PlannedRow, 'setsStatut' | 'opensPret' | 'avertissements'> {
    const avertissements: string[] = [];
    const setsStatut = this.#setsStatut(target, row, livreId, avertissements);
    const opensPret = this.#opensPret(target, row, livreId, avertissements);
    if (this.#utilisateur === null && row.lectures?.length)
      avertissements.push('lecture laissée de côté : rien ne dit qui vous êtes');
    if (setsStatut) this.#withStatut.add(target);
    if (opensPret) this.#withPret.add(target);
    return { setsStatut, opensPret, avertissements };
  }

  #setsStatut(target: string, row: Row, livreId: number | null, said: string[]): boolean {
    if (row.statut === null || this.#withStatut.has(target)) return false;
    if (this.#utilisateur === null) {
      said.push('statut laissé de côté : rien ne dit qui vous êtes');
      return false;
    }
    return livreId === null || readStatut(this.#database, this.#utilisateur, livreId) === null;
  }

  #opensPret(target: string, row: Row, livreId: number | null, said: string[]): boolean {
    if (row.pret === null || this.#withPret.has(target)) return false;
    const { emprunteur, datePret } = row.pret;
    if (row.format === 'Numerique') {
      said.push('un livre numérique ne se prête pas : prêt laissé de côté');
      return false;
    }
    if (livreId === null) return true;
    const open = openPretOfLivre(this.#database, livreId);
    const isSame = (nom: string) => normaliser(nom) === normaliser(emprunteur);
    if (open !== undefined) {
      if (!isSame(open.emprunteur)) said.push(`déjà prêté à ${open.emprunteur}`);
      return false;
    }
    return !pretsOfLivre(this.#database, livreId).some(
      (pret) => isSame(pret.emprunteur) && (datePret === null || pret.datePret === datePret),
    );
  }
}

const outcome = (sort: RowOutcome, rest: Partial<PlannedRow>): PlannedRow => ({
  sort,
  livreId: null,
  twin: null,
  raison: null,
  setsStatut: false,
  opensPret: false,
  fills: {},
  avertissements: [],
  ...rest,
});

/** The names of a row as they are compared with those of others: read once one is, which few rows are. */
export class Noms {
  readonly #noms: readonly string[];
  #keys: ReadonlySet<string> | undefined;
  #forms: readonly NomForm[] | undefined;

  constructor(noms: readonly string[]) {
    this.#noms = noms;
  }

  /** Whether two rows name an author in common; two that name none have that in common. */
  sharesWith(other: Noms): boolean {
    return (
      (this.#noms.length === 0 && other.#noms.length === 0) ||
      [...this.#cles].some((cle) => other.#cles.has(cle)) ||
      this.#parsed.some((form) =>
        other.#parsed.some((one) => abbreviates(form, one) || abbreviates(one, form)),
      )
    );
  }

  get #cles(): ReadonlySet<string> {
    return (this.#keys ??= new Set(this.#noms.map(cleRegroupement)));
  }

  get #parsed(): readonly NomForm[] {
    return (this.#forms ??= this.#noms.map(parseNom));
  }
}

/** The book that a place is for: the household's, or that of a row. */
export interface PlaceTarget {
  readonly ligne: number;
  readonly livreId: number | null;
}

/** A volume that a series gets. */
export interface PlannedPlace extends Volume {
  /** `null` for a volume that is missing. */
  readonly target: PlaceTarget | null;
  /** The place of a household's export. */
  readonly exported?: ExportPlace;
}

type ExportPlace = ExportSerie['places'][number];

/** A series that is made (`id` is `null`) or extended. */
export interface PlannedSerie {
  readonly id: number | null;
  readonly titre: string;
  readonly places: PlannedPlace[];
  /** The series of a household's export that is made as it is, place by place. */
  readonly exported?: ExportSerie;
}

/** Gathers the series that a file names (docs/rules.md § 36). */
export class SeriePlan {
  /** Places that are there already: id in a household's export → id here. */
  readonly placeIds = new Map<number, number>();
  readonly #database: Reader;
  readonly #planned: PlannedSerie[] = [];
  readonly #byKey = new Map<string, PlannedSerie>();
  /** A book has one place in a series, however many rows say so. */
  readonly #placed = new Set<string>();
  readonly #ignored: ReadonlySet<string>;
  /** The household's series by normalised title, the oldest first, read at the first use. */
  #known: Map<string, { id: number }[]> | undefined;

  /** @param ignored titles of series that are not to be made or extended */
  constructor(database: Reader, ignored: readonly string[] = []) {
    this.#database = database;
    this.#ignored = new Set(ignored.map(textKey));
  }

  /** The series that change. */
  get all(): readonly PlannedSerie[] {
    return this.#planned.filter(({ id, places }) => id === null || places.length > 0);
  }

  /** Plans the places that a row names. */
  add(row: Row, target: PlaceTarget): void {
    for (const serie of row.series) this.#add(serie, row, target);
  }

  #add({ titre, numero }: SerieRef, row: Row, target: PlaceTarget): void {
    const key = textKey(titre);
    if (this.#ignored.has(key)) return;
    const { ligne, livreId } = target;
    const place = `${key}\n${livreId === null ? `ligne ${ligne}` : `livre ${livreId}`}`;
    if (this.#placed.has(place)) return;
    this.#placed.add(place);
    const id = this.#knownIds(key)[0]?.id ?? null;
    if (id !== null && livreId !== null && this.#isPlaced(id, livreId)) return;
    let planned = this.#byKey.get(key);
    if (planned === undefined) {
      planned = { id, titre, places: [] };
      this.#byKey.set(key, planned);
      this.#planned.push(planned);
    }
    const auteurs = row.auteurs.map((nom) => ({ nom }));
    const volume = { titre: row.titre, isbn: row.isbn, auteurs, numero: emptyToNull(numero) };
    planned.places.push({ target, ...volume });
  }

  /**
   * Plans the series of a household's export: of several with one title each is paired with one of the
   * household's, and what these lack is added; any other is made as it is (docs/rules.md § 41).
   *
   * @param targetOf the book that an id of the export stands for
   */
  addExported(
    series: readonly ExportSerie[],
    targetOf: (livreId: number) => PlaceTarget | null,
  ): void {
    for (const exported of series) {
      const { titre } = exported;
      if (this.#ignored.has(textKey(titre))) continue;
      const places = exported.places.map((place): PlannedPlace => {
        const { numero, auteur, isbn, livreId } = place;
        const auteurs = splitAuteurs(auteur).map((nom) => ({ nom }));
        const volume = { titre: place.titre, numero, auteurs, isbn: isbn && parseIsbn(isbn) };
        return { exported: place, target: livreId === null ? null : targetOf(livreId), ...volume };
      });
      const id = this.#knownIds(textKey(titre)).shift()?.id;
      this.#planned.push(
        id === undefined
          ? { id: null, titre, places, exported }
          : { id, titre, places: this.#lacking(id, places) },
      );
    }
  }

  /** The places of an export that a known series lacks, or has as missing ones. */
  #lacking(id: number, places: readonly PlannedPlace[]): PlannedPlace[] {
    const known = readSerie(this.#database, id)?.places ?? [];
    return arrangeVolumes(known, places, () => true).flatMap((one) => {
      if (one.kind !== 'filled') return one.kind === 'new' ? one.volume : [];
      const { place, volume } = one;
      if (volume.exported) this.placeIds.set(volume.exported.id, place.id);
      return place.livreId === null && volume.target !== null ? volume : [];
    });
  }

  /** Whether a book stands in the household's series of this title under another number. */
  hasOtherNumero({ titre, numero }: SerieRef, livreId: number): boolean {
    const id = this.#knownIds(textKey(titre))[0]?.id;
    const place = placesOfLivre(this.#database, livreId).find(({ serieId }) => serieId === id);
    return (place?.numero ?? null) !== null && !isSameNumero(place?.numero ?? null, numero);
  }

  #isPlaced(serieId: number, livreId: number): boolean {
    return placesOfLivre(this.#database, livreId).some((place) => place.serieId === serieId);
  }

  #knownIds(key: string): { id: number }[] {
    this.#known ??= Map.groupBy(listSerieTitres(this.#database), ({ titre }) => textKey(titre));
    return this.#known.get(key) ?? [];
  }
}

/** A book whose title has neither letter nor digit, and which no rule compares, by its title. */
function livreIdByBareTitre(database: Reader, titre: string): number | null {
  return (
    database.value<number>(
      "SELECT id FROM Livre WHERE cleOeuvre = '' AND titre = ? ORDER BY id LIMIT 1",
      titre,
    ) ?? null
  );
}

const cleOfLivre = (database: Reader, id: number): string | undefined =>
  database.value<string>('SELECT cleOeuvre FROM Livre WHERE id = ?', id);

function pushTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** What tells one book of an export, or of this household, from every other. */
const originKey = (titreNormalise: string, dateAjout: string): string =>
  `${dateAjout} ${titreNormalise}`;

/** The same of a book of this household. */
function originOfLivre(database: Reader, id: number): string {
  const livre = database.get<{ titreNormalise: string; dateAjout: string }>(
    'SELECT titreNormalise, dateAjout FROM Livre WHERE id = ?',
    id,
  );
  return livre === undefined ? '' : originKey(livre.titreNormalise, livre.dateAjout);
}

/** The very book that an export tells of: of several copies, the one entered at that instant. */
const livreIdByOrigin = (
  database: Reader,
  { titre, dateAjout }: { readonly titre: string; readonly dateAjout: string },
): number | undefined =>
  database.value<number>(
    'SELECT id FROM Livre WHERE titreNormalise = normaliser(?) AND dateAjout = ? ORDER BY id LIMIT 1',
    titre,
    dateAjout,
  );
