import Newspaper from '@lucide/svelte/icons/newspaper';
import { m } from '$lib/paraglide/messages';
import { write } from '$lib/sync/write';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import * as numeroEndpoints from '#shared/numeros';
import { formatNumero, type Numero, type NumeroSaisi } from '#shared/numeros';
import * as revueEndpoints from '#shared/revues';
import type { Revue, RevueSaisie } from '#shared/revues';
import { NUMERO_FIELDS, NumeroEntry } from './numero-entry.ts';
import { REVUE_FIELDS, RevueEntry } from './revue-entry.ts';
import { numerosView, revuesView } from './view.svelte.ts';

const titreOfNumero = ({ revueId, numero }: Numero): string =>
  [revuesView.get(revueId)?.titre, formatNumero(numero)].filter(Boolean).join(', ');

const revueSaved = ({ titre }: Revue): string => m.revue_saved({ titre });
const numeroSaved = (numero: Numero): string => m.record_saved({ titre: titreOfNumero(numero) });

/** Finds a periodical by its ISSN, else by its title, or adds it. */
export const ajouterRevue = (saisie: RevueSaisie): Promise<Revue> =>
  write(revueEndpoints.ajouterRevue, { body: saisie }, revueSaved);

/** Adds an issue to a periodical. */
export const ajouterNumero = (revueId: number, saisie: NumeroSaisi): Promise<Numero> =>
  write(numeroEndpoints.ajouterNumero, { params: { id: revueId }, body: saisie }, numeroSaved);

/** Adds an issue to a periodical that is found or added with it, both or neither. */
export const ajouterRevueNumero = (revue: RevueSaisie, numero: NumeroSaisi): Promise<Numero> =>
  write(numeroEndpoints.ajouterRevueNumero, { body: { revue, numero } }, numeroSaved);

/** The periodicals of the household. */
export const revues: EditableKind<Revue, RevueEntry> & ScreenKind<Revue> = {
  collection: 'revues',
  fields: REVUE_FIELDS,
  get: (id) => revuesView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (revue) => new RevueEntry(revue),
  ajouter: (entry) => ajouterRevue(entry.toSaisie()),
  modifier: (id, entry, ifMatch) =>
    write(
      revueEndpoints.modifierRevue,
      { params: { id }, body: entry.toSaisie(), ifMatch },
      revueSaved,
    ),
  supprimer({ id, titre }, ifMatch) {
    const count = numerosView.ofRevue(id).length;
    return write(revueEndpoints.supprimerRevue, { params: { id }, ifMatch }, () =>
      count === 0 ? m.revue_deleted({ titre }) : m.revue_deleted_numeros({ titre, count }),
    );
  },
  hrefOf: ({ id }) => `/revues/${id}`,
  listOf: () => ({ href: '/revues', label: m.destination_revues() }),
  notFound: () => ({
    icon: Newspaper,
    heading: m.revue_not_found(),
    text: m.not_found_text_feminine(),
    back: { href: '/revues', label: m.back_to_revues() },
  }),
};

/** The issues of the periodicals. */
export const numeros: EditableKind<Numero, NumeroEntry> & ScreenKind<Numero> = {
  collection: 'numeros',
  fields: NUMERO_FIELDS,
  get: (id) => numerosView.get(id),
  titreOf: titreOfNumero,
  entryOf: (numero) => new NumeroEntry(numero, revuesView.get(numero.revueId)),
  ajouter: (entry) => ajouterRevueNumero(entry.revue ?? { titre: '' }, entry.toSaisie()),
  modifier: (id, entry, ifMatch) =>
    write(
      numeroEndpoints.modifierNumero,
      { params: { id }, body: entry.toSaisie(), ifMatch },
      numeroSaved,
    ),
  supprimer(numero, ifMatch) {
    const titre = titreOfNumero(numero);
    return write(numeroEndpoints.supprimerNumero, { params: { id: numero.id }, ifMatch }, () =>
      m.record_deleted({ titre }),
    );
  },
  hrefOf: ({ id, revueId }) => `/revues/${revueId}/numeros/${id}`,
  listOf: ({ revueId }) => ({
    href: `/revues/${revueId}`,
    label: revuesView.get(revueId)?.titre ?? '',
  }),
  notFound: () => ({
    icon: Newspaper,
    heading: m.numero_not_found(),
    text: m.not_found_text(),
    back: { href: '/revues', label: m.back_to_revues() },
  }),
};
