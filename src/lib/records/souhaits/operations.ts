import type { Livre } from '#shared/livres';
import * as revues from '#shared/souhaits-revues';
import type { RevueSouhaitee, RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import * as livres from '#shared/souhaits';
import type { Souhait, SouhaitSaisi } from '#shared/souhaits';
import { ApiError, refusalOf } from '$lib/api/error';
import { m } from '$lib/paraglide/messages';
import { seriesView } from '../series/view.svelte.ts';
import { catchUp, write } from '$lib/sync/write';
import { feedback, type Batch, type Notice } from '$lib/sync/feedback.svelte';
import { revuesSouhaiteesView, souhaitsView, type Ranked } from './view.svelte.ts';

/** The writes on a personal list, whose records are `T` and are entered as `Saisie`. */
export interface RankedOperations<T extends Ranked, Saisie> {
  /** Adds at the end of the list. Throws the refusal `SOUHAIT_EXISTANT` where it stands there. */
  ajouter(saisie: Saisie): Promise<T>;
  /**
   * Rewrites a wish, which keeps its rank.
   *
   * @param ifMatch the revision that the form was made from; `null` writes over any
   * @throws `SOUHAIT_EXISTANT`; `MODIFIE_ENTRETEMPS` where the wish is at another revision
   */
  modifier(id: number, saisie: Saisie, ifMatch?: number | null): Promise<T>;
  /**
   * Takes a wish off the list, which may be gone already.
   *
   * @param batch the writes that this one is a part of
   * @throws `MODIFIE_ENTRETEMPS`
   */
  supprimer(id: number, ifMatch?: number | null, batch?: Batch): Promise<undefined>;
  /**
   * Puts the list in an order.
   *
   * @param batch the writes that this one is a part of
   * @throws `LISTE_PERIMEE` once this device shows the list as the server has it
   */
  ordonner(ids: readonly number[], batch: Batch): Promise<readonly T[]>;
}

/** The requests behind the writes: each of them as the API has it. */
interface RankedRequests<T extends Ranked, Saisie> {
  ajouter(saisie: Saisie): Promise<T>;
  modifier(id: number, saisie: Saisie, ifMatch: number | null): Promise<T>;
  supprimer(id: number, ifMatch: number | null, batch?: Batch): Promise<undefined>;
  ordonner(ids: readonly number[], batch: Batch): Promise<readonly T[]>;
}

function rankedOperations<T extends Ranked, Saisie>(
  requests: RankedRequests<T, Saisie>,
): RankedOperations<T, Saisie> {
  return {
    ajouter: (saisie) => requests.ajouter(saisie),
    modifier: (id, saisie, ifMatch = null) =>
      catchUpWhenStale(() => requests.modifier(id, saisie, ifMatch)),
    supprimer: (id, ifMatch = null, batch) =>
      catchUpWhenStale(() => requests.supprimer(id, ifMatch, batch)).catch((error: unknown) => {
        if (refusalOf(error)?.code !== 'INTROUVABLE') throw error;
        return undefined;
      }),
    ordonner: (ids, batch) => catchUpWhenStale(() => requests.ordonner(ids, batch)),
  };
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

const added = ({ titre }: Ranked): string => m.souhait_added({ titre });
const saved = ({ titre }: Ranked): string => m.souhait_saved({ titre });
const ordered = (): string => m.souhaits_ordered();

export const souhaitOperations = rankedOperations<Souhait, SouhaitSaisi>({
  ajouter: (body) => write(livres.ajouterSouhait, { body }, added),
  modifier: (id, body, ifMatch) =>
    write(livres.modifierSouhait, { params: { id }, body, ifMatch }, saved),
  supprimer(id, ifMatch, batch) {
    const titre = souhaitsView.get(id)?.titre ?? '';
    const notice = () => m.souhait_removed({ titre });
    return write(livres.supprimerSouhait, { params: { id }, ifMatch }, notice, { batch });
  },
  ordonner: (ids, batch) =>
    write(livres.ordonnerSouhaits, { body: { ids: [...ids] } }, ordered, { batch }),
});

export const revueSouhaiteeOperations = rankedOperations<RevueSouhaitee, RevueSouhaiteeSaisie>({
  ajouter: (body) => write(revues.ajouterRevueSouhaitee, { body }, added),
  modifier: (id, body, ifMatch) =>
    write(revues.modifierRevueSouhaitee, { params: { id }, body, ifMatch }, saved),
  supprimer(id, ifMatch, batch) {
    const titre = revuesSouhaiteesView.get(id)?.titre ?? '';
    const notice = () => m.souhait_removed({ titre });
    return write(revues.supprimerRevueSouhaitee, { params: { id }, ifMatch }, notice, { batch });
  },
  ordonner: (ids, batch) =>
    write(revues.ordonnerRevuesSouhaitees, { body: { ids: [...ids] } }, ordered, { batch }),
});

/**
 * The wished book is bought: it enters the library as a paper book with what the wish knows of it,
 * and leaves the list.
 *
 * @throws the refusal `DOUBLON` with `similaires`, unless the duplicate is confirmed
 */
export const acheterSouhait = (id: number, { confirmerDoublon = false } = {}): Promise<Livre> =>
  catchUpWhenStale(() =>
    write(
      livres.acheterSouhait,
      { params: { id }, query: { confirmerDoublon }, body: {} },
      purchaseNotice,
    ),
  );

/** The server gives the book the place of its series that the wish came from or fits. */
function purchaseNotice({ id, titre }: Livre): Notice {
  const serie = seriesView.placesOfLivre(id)[0]?.serie.titre;
  const text =
    serie === undefined ? m.achat_on_shelf({ titre }) : m.achat_in_serie({ titre, serie });
  return { text, href: `/livres/${id}` };
}

/**
 * The wished issue is bought: it enters its periodical, which is made where it is missing, and
 * leaves the list. An issue that the household owns only leaves the list.
 *
 * @param numero the number of the issue, which the wish may not know
 */
export async function acheterRevueSouhaitee(id: number, numero: string): Promise<void> {
  const titre = revuesSouhaiteesView.get(id)?.titre ?? '';
  const request = { params: { id }, body: { numero } };
  try {
    await catchUpWhenStale(() =>
      write(revues.acheterRevueSouhaitee, request, ({ revueId }) => ({
        text: m.achat_revue({ titre }),
        href: `/revues/${revueId}`,
      })),
    );
  } catch (error) {
    if (refusalOf(error)?.code !== 'NUMERO_EXISTANT') throw error;
    await feedback.batch(
      (batch) => revueSouhaiteeOperations.supprimer(id, null, batch),
      () => ({ text: m.achat_revue_owned({ titre }) }),
    );
  }
}
