import { operation } from '$lib/api/write.svelte';
import * as endpoints from '#shared/partages';

export const choisirPartage = operation(endpoints.choisirPartage);
export const offrirSouhait = operation(endpoints.offrirSouhait);
export const retirerOffre = operation(endpoints.retirerOffre);
export const creerListe = operation(endpoints.creerListe);
export const terminerListe = operation(endpoints.terminerListe);
