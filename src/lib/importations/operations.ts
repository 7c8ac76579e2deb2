import * as importations from '#shared/importations';
import type {
  Colonnes,
  Decision,
  Importation,
  ImportationLigne,
  OrdreNoms,
  RowOutcome,
} from '#shared/importations';
import { addressOf, call } from '$lib/api/call';
import { device } from '$lib/sync/this-device';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { traiterLots } from '$lib/records/livres/kind.svelte';
import { feedback, type Batch } from '$lib/api/feedback.svelte';
import { write } from '$lib/api/write.svelte';

/** A large file takes its time on a slow line, and on a small server. */
const TIMEOUT_MS = 180_000;

const PAGE_SIZE = 2_000;

/** What a person gives to be imported. */
export interface Fichier {
  readonly bytes: Blob;
  readonly nom: string;
  /** What becomes of « to-read ». */
  readonly aLire: 'statut' | 'souhait';
}

/**
 * Has a file read and says what would become of it; nothing of the household is written
 * (docs/rules.md § 36).
 *
 * @param colonnes our field → its header, for a table that is not recognised
 * @throws the refusals `FICHIER_INVALIDE`, with the table's headers where a mapping would help, and
 *   `IMPORTATION_EN_COURS`
 */
export const startEssai = (
  { bytes, nom, aLire }: Fichier,
  colonnes: Colonnes | null,
): Promise<Importation> =>
  call(importations.importer, {
    bytes,
    query: {
      nom: nom.slice(0, 300),
      aLire,
      // Which of them is chosen by ticks.
      themes: true,
      ...(colonnes && { colonnes: JSON.stringify(colonnes) }),
    },
    timeoutMs: TIMEOUT_MS,
    reader: device.status.reader,
  });

/** What a person decides about a dry run: of single rows, of proposed series by their titles, and of words. */
interface Choices {
  readonly decisions: readonly Decision[];
  readonly seriesIgnorees: readonly string[];
  readonly ordreNoms: OrdreNoms;
  /** The words of the file that become themes. */
  readonly themes: readonly string[];
}

interface Making {
  readonly choices?: Choices;
  /** Called when the server has answered, before this device has the change. */
  readonly onAnswer?: () => void;
  /** The batch of the undoing that it is. */
  readonly batch?: Batch;
}

/**
 * Makes a dry run real, or an import again that was taken back, and waits until this device shows it.
 * The bar takes it back.
 */
export const executerImportation = (
  id: number,
  { choices, onAnswer, batch }: Making,
): Promise<Importation> =>
  write(
    importations.executerImportation,
    {
      params: { id },
      body: {
        decisions: [...(choices?.decisions ?? [])],
        seriesIgnorees: [...(choices?.seriesIgnorees ?? [])],
        ...(choices && { ordreNoms: choices.ordreNoms, themes: [...choices.themes] }),
      },
      timeoutMs: TIMEOUT_MS,
    },
    {
      batch,
      ...(onAnswer && { onAnswer }),
      notice: ({ nouveaux }) => ({
        text: m.importation_done({ count: nouveaux }),
        ...(batch === undefined
          ? { undo: (undoing: Batch) => annulerImportation(id, undoing) }
          : { isFinal: true }),
      }),
    },
  );

/**
 * Takes an import back; says how many books went and how many stayed (docs/rules.md § 37). The bar makes it
 * again.
 *
 * @param batch the batch of the undoing that it is
 */
export const annulerImportation = (
  id: number,
  batch?: Batch,
): Promise<{ retires: number; gardes: number }> =>
  write(
    importations.annulerImportation,
    { params: { id }, timeoutMs: TIMEOUT_MS },
    {
      batch,
      notice: ({ retires }) => ({
        text:
          retires === 0 ? m.importation_undone_none() : m.importation_undone({ count: retires }),
        href: href(`/importer?importation=${id}`),
        ...(batch === undefined
          ? { undo: (undoing: Batch) => executerImportation(id, { batch: undoing }) }
          : { isFinal: true }),
      }),
    },
  );

/**
 * The rows with one outcome in the order of the file, page by page.
 *
 * @param ordreNoms in which order the file is said to have its authors
 */
export async function* readLignes(
  id: number,
  sort: RowOutcome,
  signal: AbortSignal,
  ordreNoms?: OrdreNoms,
): AsyncGenerator<ImportationLigne[]> {
  for (let decalage = 0; ; decalage += PAGE_SIZE) {
    const page = await call(importations.listerImportationLignes, {
      params: { id },
      query: { sort, limite: PAGE_SIZE, decalage, ...(ordreNoms && { ordreNoms }) },
      signal,
    });
    yield page;
    if (page.length < PAGE_SIZE) return;
  }
}

/** The ids of the books that an import has made; some may be gone by now. */
export async function readLivreIds(id: number, signal: AbortSignal): Promise<number[]> {
  const ids: number[] = [];
  for await (const lignes of readLignes(id, 'nouveau', signal))
    ids.push(...lignes.flatMap(({ livreId }) => livreId ?? []));
  return ids;
}

/**
 * Removes books, any number of them, as one act of the person.
 *
 * @throws the refusal `LIVRE_PRETE` of the first that is lent, its sentence begins with the title
 */
export const retirerLivres = (ids: readonly number[]): Promise<void> =>
  feedback.batch(
    (batch) => traiterLots({ ids: [...ids], action: 'supprimer' }, batch),
    () => ({ text: m.livres_removed({ count: ids.length }) }),
  );

/** The address of the refused rows as a table, with a column for the reason. */
export const refusHref = (id: number): string =>
  addressOf(importations.exporterRefus, { params: { id } });
