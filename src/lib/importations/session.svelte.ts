import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { call, refusalOf } from '$lib/api/call';
import type { Batch, Notice } from '$lib/api/feedback.svelte';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { write } from '$lib/api/write.svelte';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { attempt, device, entryPrefix } from '$lib/sync/this-device';
import { Action } from '$lib/ui/action.svelte';
import type { Body } from '#shared/endpoint';
import * as api from '#shared/importations';
import type {
  ALire,
  Colonnes,
  Decision,
  Encodage,
  Importation,
  ImportationLigne,
  OrdreDates,
  OrdreNoms,
  PremiereLigne,
  RowOutcome,
  SerieProposee,
} from '#shared/importations';
import { namesOfPath } from '#shared/emplacement-tree';
import type { StatutOrNull } from '#shared/statuts';
import { beginningOf } from '#shared/text';
import { unawaited } from '$lib/sync/report';
import type { Amounts } from './labels.ts';

export interface Fichier {
  readonly bytes: Blob;
  readonly nom: string;
  /** Without an answer the file decides. */
  readonly answers: Answers;
}

/** Answers to the questions that a file leaves open. */
export interface Answers {
  readonly aLire?: ALire;
  readonly ordreDates?: OrdreDates;
  readonly premiereLigne?: PremiereLigne;
  readonly encodage?: Encodage;
}

/** A decision about a row, and the outcome that the row has without it. */
export interface DecidedRow {
  readonly sort: Decision['sort'];
  readonly outcome: RowOutcome;
}

/** How a non-Unicode file was decoded. */
export type Decodage = Pick<Importation, 'encodage' | 'encodagePar' | 'encodageExemples'>;

/** A column that no field takes, and that may become a detail. */
export type ProposedDetail = Required<Omit<Importation['perdus'][number], 'entrees'>>;

export const proposedDetails = ({ perdus }: Pick<Importation, 'perdus'>): ProposedDetail[] =>
  perdus.flatMap(({ colonne, lignes, exemples = [], proposition }) =>
    proposition === undefined ? [] : [{ colonne, lignes, exemples, proposition }],
  );

/** Allows for a large file, a slow connection and a small server. */
const timeoutMs = 180_000;

export class ImportationSession {
  importation = $state.raw<Importation | null>(null);
  /** The headers of an unrecognised table; empty for any other file. */
  entetes = $state.raw<readonly string[]>([]);
  exemples = $state.raw<readonly (readonly string[])[]>([]);
  /** `null` for any other file. */
  decodage = $state.raw<Decodage | null>(null);
  series = $state.raw<readonly SerieProposee[]>([]);
  ordreNoms = $state<OrdreNoms>('nomPrenom');
  /** Whether new books get the file's entry date, if any. */
  datesEntree = $state(true);
  /** Whether « House / Office » is a path of locations. */
  chemins = $state(false);
  /** The reading state for all books, and the typed path of a location for all new ones. */
  statut = $state<StatutOrNull>(null);
  emplacement = $state('');
  /** True once the server has written the import and this device is receiving it. */
  isArriving = $state(false);
  /** How many books an undo has left, and deleted. */
  undone = $state.raw<{ readonly retires: number; readonly gardes: number } | null>(null);
  /** By row number. */
  readonly decisions = new SvelteMap<number, DecidedRow>();
  /** By title. */
  readonly seriesIgnorees = new SvelteSet<string>();
  readonly themesIgnores = new SvelteSet<string>();
  /** By column: the detail's name, `null` for a skipped one. */
  readonly details = new SvelteMap<string, string | null>();
  readonly checking = new Action();
  readonly making = new Action();
  readonly undoing = new Action();
  /** Only the last import in the address is opened. */
  readonly opening = new Action({ latest: true });
  #fichier = $state.raw<Fichier | null>(null);

  /** The name of the stored file, which can be read again with other columns; `null` without one. */
  get fichier(): string | null {
    return this.#fichier?.nom ?? null;
  }

  /** Runs a dry run; true once `importation` has its result. */
  async check(fichier: Fichier): Promise<boolean> {
    this.#fichier = fichier;
    unawaited(keepFichier(fichier), 'keeping the file of an import');
    return this.#check(fichier, null);
  }

  async checkByColonnes(colonnes: Colonnes, premiereLigne: PremiereLigne): Promise<boolean> {
    const fichier = this.#answered({ premiereLigne });
    return fichier !== null && this.#check(fichier, colonnes);
  }

  /** The headers read differently: columns are assigned again. */
  async checkByEncodage(encodage: Encodage): Promise<boolean> {
    const fichier = this.#answered({ encodage });
    return fichier !== null && this.check(fichier);
  }

  /** Reads the file again with an answer; all other choices stay. */
  async answer(answer: Answers): Promise<boolean> {
    const fichier = this.#answered(answer);
    if (fichier === null) return false;
    return this.#check(fichier, this.importation?.colonnes ?? null, true);
  }

  /** The stored file with a further answer; `null` without one. */
  #answered(answer: Answers): Fichier | null {
    if (this.#fichier === null) return null;
    const answers = { ...this.#fichier.answers, ...answer };
    this.#fichier = { ...this.#fichier, answers };
    unawaited(keepFichier(this.#fichier), 'keeping the file of an import');
    return this.#fichier;
  }

  async #check(fichier: Fichier, colonnes: Colonnes | null, keeps = false): Promise<boolean> {
    const isDone = await this.checking.run(async () => {
      const known = this.series;
      const { bytes, nom, answers } = fichier;
      const importation = await call(api.importer, {
        bytes,
        query: {
          nom: beginningOf(nom, 300),
          ...answers,
          // Ticks choose among them.
          themes: true,
          ...(colonnes && { colonnes: JSON.stringify(colonnes) }),
        },
        timeoutMs,
        reader: device.status.reader,
      });
      await this.#readProposals(importation);
      if (keeps) {
        this.importation = importation;
        this.#leaveOutSingles(known);
      } else this.#show(importation);
    });
    const { refusal } = this.checking;
    if (refusal?.code === 'FICHIER_INVALIDE' && !keeps) {
      this.#show(null);
      this.entetes = refusal.entetes ?? [];
      this.exemples = refusal.exemples ?? [];
      this.decodage = guessedOf(refusal);
    }
    return isDone;
  }

  /** Restores the file from before a reload, whose columns are still to be assigned. */
  async resume(): Promise<void> {
    const kept = readStoredFichier();
    if (kept !== null) await this.check(kept);
  }

  async #readProposals({ id, series }: Importation): Promise<void> {
    this.series = series > 0 ? await call(api.listerSeriesProposees, { params: { id } }) : [];
  }

  /** A proposed series of one volume is skipped by default. */
  #leaveOutSingles(known: readonly SerieProposee[]): void {
    const titres = new Set(known.map(({ titre }) => titre));
    for (const { id, titre, volumes } of this.series)
      if (id === null && volumes === 1 && !titres.has(titre)) this.seriesIgnorees.add(titre);
  }

  make({ id, themes }: Importation): Promise<boolean> {
    return this.making.run(async () => {
      this.isArriving = false;
      const choices = {
        decisions: [...this.decisions].map(([ligne, { sort }]) => ({ ligne, sort })),
        seriesIgnorees: [...this.seriesIgnorees],
        ordreNoms: this.ordreNoms,
        themes: themes.flatMap(({ nom }) => (this.themesIgnores.has(nom) ? [] : nom)),
        details: [...this.details].map(([colonne, nom]) => ({ colonne, nom })),
        datesEntree: this.datesEntree,
        chemins: this.chemins,
        statut: this.statut,
        emplacement: namesOfPath(this.emplacement),
      };
      const importation = await executer(id, choices, {
        onAnswer: () => {
          // Before the replica is updated: a person who leaves meanwhile must not find the file
          // offered again.
          forgetFichier();
          this.isArriving = true;
        },
      });
      this.#show(importation);
    });
  }

  /** Amounts of the import with the decisions about rows, without the series that are left out. */
  get amounts(): Amounts | null {
    const { importation } = this;
    if (importation === null) return null;
    const isEssai = importation.etat === 'essai';
    const changed = (outcome: RowOutcome) =>
      isEssai
        ? [...this.decisions.values()].filter((decided) => decided.outcome === outcome).length
        : 0;
    const { nouveaux, presents, souhaits, lectures, enRecherche } = importation;
    return {
      ...importation,
      // A row being looked up becomes a book as soon as a catalogue knows it.
      nouveaux: nouveaux - changed('nouveau') + changed('present') + (isEssai ? enRecherche : 0),
      presents: presents - changed('present'),
      souhaits: souhaits - changed('souhait'),
      lectures: lectures - changed('lecture'),
      refused: importation.nombreRefuses - enRecherche,
      series: importation.series - (isEssai ? this.seriesIgnorees.size : 0),
    };
  }

  undo(importation: Importation): Promise<boolean> {
    return this.undoing.run(async () => {
      this.undone = await annuler(importation.id);
      this.importation = { ...importation, etat: 'annulee' };
    });
  }

  countRemoved(count: number): void {
    const { retires, gardes } = this.undone ?? { retires: 0, gardes: count };
    this.undone = { retires: retires + count, gardes: gardes - count };
  }

  async open(id: number, signal: AbortSignal): Promise<void> {
    if (this.importation?.id === id) return;
    this.#fichier = readStoredFichier();
    this.#show(null);
    await this.opening.run(() => this.refresh(id, signal));
    if (signal.aborted) return;
    // The file that this tab keeps may be another's.
    if (this.importation?.nom !== this.#fichier?.nom) this.#fichier = null;
    if (this.opening.refusal?.code === 'INTROUVABLE') this.opening.error = m.importation_unknown();
  }

  /** Reads the import again for the catalogues' answers. */
  async refresh(id: number, signal: AbortSignal): Promise<void> {
    try {
      const importation = await call(api.lireImportation, { params: { id }, signal });
      if (signal.aborted) return;
      const { importation: shown, series: known } = this;
      const isShown = shown?.id === id;
      // The catalogues may have found a volume of another series.
      const hasNews = !isShown || shown.series !== importation.series;
      if (importation.etat === 'essai' && hasNews) await this.#readProposals(importation);
      if (!isShown) this.#show(importation);
      else if (this.importation === shown) {
        this.importation = importation;
        this.#leaveOutSingles(known);
        if (importation.etat !== 'annulee') this.undone = null;
      }
    } catch (error) {
      if (!signal.aborted || refusalOf(error) !== null) throw error;
    }
  }

  close(): void {
    this.checking.reset();
    this.#fichier = null;
    forgetFichier();
    this.#show(null);
  }

  #show(importation: Importation | null): void {
    this.importation = importation;
    this.entetes = importation?.entetes ?? [];
    this.exemples = importation?.exemples ?? [];
    this.decodage = guessedOf(importation ?? {});
    this.undone = null;
    this.decisions.clear();
    this.seriesIgnorees.clear();
    if (importation !== null) this.#leaveOutSingles([]);
    this.ordreNoms = importation?.ordreDesNoms.ordre ?? 'nomPrenom';
    this.datesEntree = true;
    this.chemins = false;
    this.statut = null;
    this.emplacement = '';
    this.themesIgnores.clear();
    for (const { nom, repris } of importation?.themes ?? [])
      if (!repris) this.themesIgnores.add(nom);
    this.details.clear();
    for (const { colonne, proposition } of proposedDetails(importation ?? { perdus: [] }))
      this.details.set(colonne, proposition.garder ? proposition.detail : null);
    for (const action of [this.making, this.undoing, this.opening]) action.reset();
  }
}

function guessedOf({
  encodage,
  encodagePar,
  encodageExemples,
}: Partial<Decodage>): Decodage | null {
  if (encodage === undefined || encodagePar === undefined || encodagePar === 'octets') return null;
  return { encodage, encodagePar, encodageExemples: encodageExemples ?? [] };
}

/** The bar offers to undo a write, unless it belongs to the batch of an undo. */
const undoneBy = (
  batch: Batch | undefined,
  undo: (undoing: Batch) => Promise<unknown>,
): Partial<Notice> => (batch === undefined ? { undo } : { isFinal: true });

/** Makes a dry run real, or an import again that was undone, and waits until this device shows it. */
const executer = (
  id: number,
  body: Body<typeof api.executerImportation>,
  options: { readonly onAnswer?: () => void; readonly batch?: Batch },
): Promise<Importation> =>
  write(
    api.executerImportation,
    { params: { id }, body, timeoutMs },
    {
      ...options,
      notice: ({ nouveaux }) => ({
        text: m.importation_done({ count: nouveaux }),
        ...undoneBy(options.batch, (undoing) => annuler(id, undoing)),
      }),
    },
  );

/** Answers how many books went and how many stayed (docs/rules.md § 37). */
const annuler = (id: number, batch?: Batch): Promise<{ retires: number; gardes: number }> =>
  write(
    api.annulerImportation,
    { params: { id }, timeoutMs },
    {
      batch,
      notice: ({ retires }) => ({
        text:
          retires === 0 ? m.importation_undone_none() : m.importation_undone({ count: retires }),
        href: href(`/importer?importation=${id}`),
        ...undoneBy(batch, (undoing) => executer(id, {}, { batch: undoing })),
      }),
    },
  );

const PAGE_SIZE = 2_000;

/** Yields the rows of an outcome, in the order of the file, page by page. */
export async function* readLignes(
  id: number,
  sort: RowOutcome,
  signal: AbortSignal,
  ordreNoms?: OrdreNoms,
): AsyncGenerator<ImportationLigne[]> {
  for (let decalage = 0; ; decalage += PAGE_SIZE) {
    const page = await call(api.listerImportationLignes, {
      params: { id },
      query: { sort, limite: PAGE_SIZE, decalage, ...(ordreNoms && { ordreNoms }) },
      signal,
    });
    yield page;
    if (page.length < PAGE_SIZE) return;
  }
}

/**
 * Includes the reader, so that the file is deleted with their data: another reader of a shared device must not see
 * it.
 */
const fichierKey = (): string => entryPrefix('file', connection.moi?.utilisateur ?? null);

/** A larger file would fill the tab's storage: after a reload it is chosen again. */
const MAX_BYTES = 3_000_000;

interface StoredFichier extends Omit<Fichier, 'bytes'> {
  readonly dataUrl: string;
}

/** Keeps a file for this tab, so that its columns can still be named after a reload. */
async function keepFichier({ bytes, ...rest }: Fichier): Promise<void> {
  forgetFichier();
  if (bytes.size > MAX_BYTES) return;
  const key = fichierKey();
  try {
    const kept: StoredFichier = { ...rest, dataUrl: await readDataUrl(bytes) };
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // The storage is full, or the file is gone: after a reload it is asked for again.
    forgetFichier();
  }
}

/** The bytes as a `data:` address: the browser encodes them off the main thread. */
async function readDataUrl(bytes: Blob): Promise<string> {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = reject;
    reader.readAsDataURL(bytes);
  });
  return typeof reader.result === 'string' ? reader.result : '';
}

function readStoredFichier(): Fichier | null {
  const text =
    attempt('reading the chosen file', () => sessionStorage.getItem(fichierKey())) ?? null;
  if (text === null) return null;
  const { dataUrl, ...rest } = unsafeCast<StoredFichier>(JSON.parse(text));
  const base64 = dataUrl.slice(dataUrl.indexOf(',') + 1);
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  return { ...rest, bytes: new Blob([bytes]) };
}

const forgetFichier = (): void =>
  attempt('forgetting the chosen file', () => sessionStorage.removeItem(fichierKey()));
