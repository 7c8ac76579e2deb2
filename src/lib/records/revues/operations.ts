import * as numeroEndpoints from '#shared/numeros';
import { formatNumero, type Numero, type NumeroSaisi } from '#shared/numeros';
import * as revueEndpoints from '#shared/revues';
import type { Revue, RevueSaisie } from '#shared/revues';
import { m } from '$lib/paraglide/messages';
import { write } from '$lib/sync/write';
import { numerosView, revuesView } from './view.svelte.ts';

/** An issue with its periodical, for a sentence: « Rivages, n° 12 ». */
const titreOf = ({ revueId, numero }: Pick<Numero, 'revueId' | 'numero'>): string =>
  [revuesView.get(revueId)?.titre, formatNumero(numero)].filter(Boolean).join(', ');

const revueSaved = ({ titre }: Revue): string => m.revue_saved({ titre });
const numeroSaved = (numero: Numero): string => m.numero_saved({ titre: titreOf(numero) });

// `revision` is the one that the write was made from: another one by now is refused with
// `MODIFIE_ENTRETEMPS` (docs/rules.md § 29). With `null` the write is made whatever it is.

/**
 * Finds a periodical by its ISSN, else by its title, or adds it.
 *
 * @throws the refusal `ISSN_INVALIDE`
 */
export const ajouterRevue = (saisie: RevueSaisie): Promise<Revue> =>
  write(revueEndpoints.ajouterRevue, { body: saisie }, revueSaved);

/**
 * Rewrites a periodical.
 *
 * @throws the refusal `REVUE_EXISTANTE` for the ISSN of another one
 */
export const modifierRevue = (
  id: number,
  saisie: RevueSaisie,
  revision: number | null,
): Promise<Revue> =>
  write(
    revueEndpoints.modifierRevue,
    { params: { id }, body: saisie, ifMatch: revision },
    revueSaved,
  );

/** Deletes a periodical and its issues. */
export function supprimerRevue(id: number, revision: number | null): Promise<undefined> {
  const titre = revuesView.get(id)?.titre ?? '';
  const count = numerosView.ofRevue(id).length;
  return write(revueEndpoints.supprimerRevue, { params: { id }, ifMatch: revision }, () =>
    count === 0 ? m.revue_deleted({ titre }) : m.revue_deleted_numeros({ titre, count }),
  );
}

/**
 * Adds an issue to a periodical.
 *
 * @throws the refusal `NUMERO_EXISTANT` for a number that the periodical has
 */
export const ajouterNumero = (revueId: number, saisie: NumeroSaisi): Promise<Numero> =>
  write(numeroEndpoints.ajouterNumero, { params: { id: revueId }, body: saisie }, numeroSaved);

/**
 * Adds an issue to a periodical that is found or added with it, both or neither.
 *
 * @throws the refusals `ISSN_INVALIDE` and `NUMERO_EXISTANT`
 */
export const ajouterRevueNumero = (revue: RevueSaisie, numero: NumeroSaisi): Promise<Numero> =>
  write(numeroEndpoints.ajouterRevueNumero, { body: { revue, numero } }, numeroSaved);

/**
 * Rewrites an issue.
 *
 * @throws the refusal `NUMERO_EXISTANT` for the number of another issue
 */
export const modifierNumero = (
  id: number,
  saisie: NumeroSaisi,
  revision: number | null,
): Promise<Numero> =>
  write(
    numeroEndpoints.modifierNumero,
    { params: { id }, body: saisie, ifMatch: revision },
    numeroSaved,
  );

/** Deletes an issue. */
export function supprimerNumero(id: number, revision: number | null): Promise<undefined> {
  const numero = numerosView.get(id);
  const titre = numero === undefined ? '' : titreOf(numero);
  return write(numeroEndpoints.supprimerNumero, { params: { id }, ifMatch: revision }, () =>
    m.numero_deleted({ titre }),
  );
}
