import Newspaper from '@lucide/svelte/icons/newspaper';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { operation } from '$lib/api/write.svelte';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import * as numeroEndpoints from '#shared/numeros';
import { formatNumero, type Numero } from '#shared/numeros';
import * as revueEndpoints from '#shared/revues';
import type { Revue } from '#shared/revues';
import { NUMERO_FIELDS, NumeroEntry } from './numero-entry.ts';
import { REVUE_FIELDS, RevueEntry } from './revue-entry.ts';
import { numerosView, revuesView } from './view.svelte.ts';

const titreOfNumero = ({ revueId, numero }: Numero): string =>
  [revuesView.get(revueId)?.titre, formatNumero(numero)].filter(Boolean).join(', ');

/** Finds a periodical by its ISSN, else by its title, or adds it. */
export const ajouterRevue = operation(revueEndpoints.ajouterRevue);
const modifierRevue = operation(revueEndpoints.modifierRevue);
const supprimerRevue = operation(revueEndpoints.supprimerRevue);
export const ajouterNumero = operation(numeroEndpoints.ajouterNumero);
/** Adds an issue to a periodical that is found or added with it, both or neither. */
export const ajouterRevueNumero = operation(numeroEndpoints.ajouterRevueNumero);
const modifierNumero = operation(numeroEndpoints.modifierNumero);
const supprimerNumero = operation(numeroEndpoints.supprimerNumero);

export const revues: EditableKind<Revue, RevueEntry> & ScreenKind<Revue> = {
  collection: 'revues',
  label: m.field_revue,
  fields: REVUE_FIELDS,
  get: (id) => revuesView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (revue) => new RevueEntry(revue),
  ajouter: (entry, unsent) => ajouterRevue(entry.toSaisie(), { unsent }),
  modifier: (id, entry, ifMatch, unsent) =>
    modifierRevue(id, entry.toSaisie(), { ifMatch, unsent }),
  supprimer: ({ id }, ifMatch) => supprimerRevue(id, { ifMatch }),
  hrefOf: ({ id }) => href(`/revues/${id}`),
  listOf: () => ({ href: href('/revues'), label: m.destination_revues() }),
  notFound: () => ({
    icon: Newspaper,
    heading: m.verdict_revue_not_owned(),
    text: m.not_found_text_feminine(),
    back: { href: href('/revues'), label: m.back_to_revues() },
  }),
};

export const numeros: EditableKind<Numero, NumeroEntry> & ScreenKind<Numero> = {
  collection: 'numeros',
  label: m.field_numero,
  fields: NUMERO_FIELDS,
  told: [
    {
      key: 'revueId',
      label: m.field_revue,
      tell: (id) => revuesView.get(Number(id))?.titre ?? `${m.field_revue()} ${id}`,
    },
  ],
  get: (id) => numerosView.get(id),
  titreOf: titreOfNumero,
  entryOf: (numero) => new NumeroEntry(numero, revuesView.get(numero.revueId)),
  ajouter: (entry, unsent) =>
    ajouterRevueNumero(
      { revue: entry.revue ?? { titre: '' }, numero: entry.toSaisie() },
      { unsent },
    ),
  modifier: (id, entry, ifMatch, unsent) =>
    modifierNumero(id, entry.toSaisie(), { ifMatch, unsent }),
  supprimer: ({ id }, ifMatch) => supprimerNumero(id, { ifMatch }),
  hrefOf: ({ id, revueId }) => href(`/revues/${revueId}/numeros/${id}`),
  listOf: ({ revueId }) => ({
    href: href(`/revues/${revueId}`),
    label: revuesView.get(revueId)?.titre ?? '',
  }),
  notFound: () => ({
    icon: Newspaper,
    heading: m.numero_not_found(),
    text: m.not_found_text(),
    back: { href: href('/revues'), label: m.back_to_revues() },
  }),
};
