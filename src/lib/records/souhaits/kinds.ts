import type { Livre } from '#shared/livres';
import * as revueEndpoints from '#shared/souhaits-revues';
import type { RevueSouhaitee, RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import * as souhaitEndpoints from '#shared/souhaits';
import type { Souhait, SouhaitSaisi } from '#shared/souhaits';
import { ApiError, refusalOf } from '$lib/api/error';
import { at } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { catchUp, write } from '$lib/sync/write';
import type { Batch } from '$lib/sync/feedback.svelte';
import type { EditableKind, RecordEntry } from '$lib/ui/kind';
import { REVUE_FIELDS, RevueSouhaiteeEntry, SOUHAIT_FIELDS, SouhaitEntry } from './entry.ts';
import { revuesSouhaiteesView, souhaitsView, type Ranked } from './view.svelte.ts';

/** A kind of record whose list its reader puts in order. */
export interface RankedKind<R extends Ranked, E extends RecordEntry<R>> extends EditableKind<R, E> {
  /**
   * Puts the list in an order.
   *
   * @throws `LISTE_PERIMEE` once this device shows the list as the server has it
   */
  readonly ordonner: (ids: readonly number[], batch: Batch) => Promise<readonly R[]>;
}

/**
 * Does a write on a personal list. Where another device has changed the list meanwhile, this one
 * catches up with the server before the refusal is thrown.
 */
async function catchUpWhenStale<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code === 'LISTE_PERIMEE') await catchUp();
    if (refusal?.code !== 'INTROUVABLE') throw error;
    await catchUp();
    throw new ApiError('refusal', m.souhait_gone(), refusal);
  }
}

/** Adds a book at the end of the list. Throws the refusal `SOUHAIT_EXISTANT` where it stands there. */
export const ajouterSouhait = (
  body: SouhaitSaisi,
  batch?: Batch,
  unsent?: AbortSignal,
): Promise<Souhait> => write(souhaitEndpoints.ajouterSouhait, { body, unsent }, { batch });

export const souhaits: RankedKind<Souhait, SouhaitEntry> = {
  collection: 'souhaits',
  label: m.kind_souhait,
  fields: SOUHAIT_FIELDS,
  get: (id) => souhaitsView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (souhait) => new SouhaitEntry(souhait),
  ajouter: (entry, unsent) => ajouterSouhait(entry.toSaisie(), undefined, unsent),
  modifier: (id, entry, ifMatch, unsent) =>
    catchUpWhenStale(() =>
      write(souhaitEndpoints.modifierSouhait, {
        params: { id },
        body: entry.toSaisie(),
        ifMatch,
        unsent,
      }),
    ),
  supprimer: ({ id }, ifMatch) =>
    write(souhaitEndpoints.supprimerSouhait, { params: { id }, ifMatch }),
  ordonner: (ids, batch) =>
    catchUpWhenStale(() =>
      write(souhaitEndpoints.ordonnerSouhaits, { body: { ids: [...ids] } }, { batch }),
    ),
};

/** Adds a periodical at the end of the list. Throws the refusal `SOUHAIT_EXISTANT` as for a book. */
export const ajouterRevueSouhaitee = (
  body: RevueSouhaiteeSaisie,
  unsent?: AbortSignal,
): Promise<RevueSouhaitee> => write(revueEndpoints.ajouterRevueSouhaitee, { body, unsent });

export const revuesSouhaitees: RankedKind<RevueSouhaitee, RevueSouhaiteeEntry> = {
  collection: 'souhaits-revues',
  label: m.kind_souhait,
  fields: REVUE_FIELDS,
  get: (id) => revuesSouhaiteesView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (revue) => new RevueSouhaiteeEntry(revue),
  ajouter: (entry, unsent) => ajouterRevueSouhaitee(entry.toSaisie(), unsent),
  modifier: (id, entry, ifMatch, unsent) =>
    catchUpWhenStale(() =>
      write(revueEndpoints.modifierRevueSouhaitee, {
        params: { id },
        body: entry.toSaisie(),
        ifMatch,
        unsent,
      }),
    ),
  supprimer: ({ id }, ifMatch) =>
    write(revueEndpoints.supprimerRevueSouhaitee, { params: { id }, ifMatch }),
  ordonner: (ids, batch) =>
    catchUpWhenStale(() =>
      write(revueEndpoints.ordonnerRevuesSouhaitees, { body: { ids: [...ids] } }, { batch }),
    ),
};

/**
 * The wished book is bought: it enters the library as a paper book with what the wish knows of it,
 * and leaves the list.
 *
 * @throws the refusal `DOUBLON` with `similaires`, unless the duplicate is confirmed
 */
export const acheterSouhait = (id: number, { confirmerDoublon = false } = {}): Promise<Livre> =>
  catchUpWhenStale(() =>
    write(
      souhaitEndpoints.acheterSouhait,
      { params: { id }, query: { confirmerDoublon }, body: {} },
      { notice: (livre) => ({ href: at(`/livres/${livre.id}`) }) },
    ),
  );

/**
 * The wished issue is bought: it enters its periodical, which is made where it is missing, and
 * leaves the list. An issue that the household owns only leaves the list.
 *
 * @param numero the number of the issue, which the wish may not know
 */
export async function acheterRevueSouhaitee(
  { id, titre }: RevueSouhaitee,
  numero: string,
): Promise<void> {
  const params = { id };
  try {
    await catchUpWhenStale(() =>
      write(
        revueEndpoints.acheterRevueSouhaitee,
        { params, body: { numero } },
        { notice: ({ revueId }) => ({ href: at(`/revues/${revueId}`) }) },
      ),
    );
  } catch (error) {
    if (refusalOf(error)?.code !== 'NUMERO_EXISTANT') throw error;
    const notice = () => ({ text: m.achat_revue_owned({ titre }) });
    await write(revueEndpoints.supprimerRevueSouhaitee, { params }, { notice });
  }
}
