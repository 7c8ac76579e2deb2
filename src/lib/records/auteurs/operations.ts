import * as endpoints from '#shared/auteurs';
import type { Auteur } from '#shared/auteurs';
import { ApiError } from '$lib/api/error';
import { feedback, type Batch } from '$lib/api/feedback.svelte';
import { operation } from '$lib/api/write.svelte';
import { recordSuccessor } from './view.svelte.ts';

const rename = operation(endpoints.modifierAuteur);
const merge = operation(endpoints.fusionnerAuteurs);
/** Remembers that two authors are two people. */
export const refuserFusion = operation(endpoints.refuserFusion);

/**
 * Renames an author everywhere. The answer is the record that stays, which may be another one:
 * initials can go into the record of the full name (docs/rules.md § 13).
 *
 * @throws `AUTEUR_EXISTANT` with the author of that name, `MODIFIE_ENTRETEMPS`
 */
export const modifierAuteur = (
  id: number,
  nom: string,
  ifMatch: number | null = null,
  batch?: Batch,
): Promise<Auteur> =>
  rename(id, { nom }, { ifMatch, batch, onAnswer: (kept) => recordSuccessor([id], kept) });

/**
 * Makes one author of two and answers the one that stays, under `nom`, which is one of their names.
 * The server takes the most presentable one (docs/rules.md § 16); another one is a renaming after
 * it, and where that fails the merge stands.
 */
export const fusionnerAuteurs = (ids: [number, number], nom: string): Promise<Auteur> =>
  feedback.batch(async (batch) => {
    const onAnswer = (auteur: Auteur) => recordSuccessor(ids, auteur);
    const kept = await merge({ auteurs: ids }, { batch, onAnswer });
    if (kept.nom === nom) return kept;
    return modifierAuteur(kept.id, nom, null, batch).catch((error: unknown) => {
      if (error instanceof ApiError) return kept;
      throw error;
    });
  });
