import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { detailsView } from '$lib/records/details/view.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import { themesView } from '$lib/records/themes/view.svelte';
import type { Criteres, LivreDocument, Order } from '#shared/livres';
import { livresOfListe, type CriteresGardes, type Selection } from '#shared/selections';
import { TRIS } from '#shared/sort';
import { activeFiltersOf, chipsOf, triChoice, triLabel } from '../catalogue/catalogue.svelte.ts';

/** The criteria of a saved search on this device. */
export interface ReadCriteres {
  readonly criteres: Criteres & Order;
  /** The criteria in words, the order last. */
  readonly words: readonly string[];
  /** Unknown criteria: of a later version, or with a deleted location. */
  readonly lost: readonly string[];
  /** The themes, details and publishers that nothing here has any more, as they are written: no book is found by them. */
  readonly gone: readonly string[];
}

const paramsOf = (criteres: CriteresGardes): URLSearchParams =>
  new URLSearchParams(Object.entries(criteres).map(([name, value]) => [name, String(value)]));

export function readCriteres(kept: CriteresGardes): ReadCriteres {
  const params = paramsOf(kept);
  const active = activeFiltersOf(params);
  const recherche = params.get('recherche') ?? '';
  const tri = TRIS.find((value) => value === params.get('tri'));
  const inverse = params.get('inverse') === 'true';
  const read: Readonly<Record<string, unknown>> = { ...active, recherche, tri };
  const lost = Object.entries(kept)
    .filter(([name, value]) =>
      name === 'inverse' ? typeof value !== 'boolean' : read[name] !== value,
    )
    .map(([name]) => name);
  return {
    criteres: {
      ...active,
      ...(recherche !== '' && { recherche }),
      ...(tri && { tri }),
      ...(inverse && { inverse }),
    },
    words: [
      ...(recherche === '' ? [] : [m.selection_words({ words: recherche })]),
      ...chipsOf(active).map(({ label }) => label),
      ...(tri === undefined || tri === 'titre'
        ? []
        : [(inverse ? m.selection_order_inverse : m.selection_order)({ order: triLabel(tri) })]),
    ],
    lost,
    gone: [
      ...(active.theme !== undefined && themesView.get(active.theme) === undefined
        ? [active.theme]
        : []),
      ...(active.detail !== undefined && !detailsView.isNamed(active.detail)
        ? [active.detail]
        : []),
      ...(active.editeur !== undefined &&
      livresView.search({ editeur: active.editeur }).length === 0
        ? [active.editeur]
        : []),
    ],
  };
}

/** The books of a list in its order, or the results of a search. */
export const livresOf = ({ criteres, livres }: Selection): readonly LivreDocument[] =>
  criteres === null
    ? livresOfListe(livres ?? [], livresView.get)
    : livresView.search(readCriteres(criteres).criteres);

/** The catalogue's criteria for saving, including an order stored on the device. */
export function criteresOf(params: URLSearchParams): CriteresGardes {
  const recherche = params.get('recherche')?.trim() ?? '';
  const { importation: _, ...active } = activeFiltersOf(params);
  return {
    ...(recherche !== '' && { recherche }),
    ...active,
    tri: triChoice.of(params),
    ...(params.get('inverse') === 'true' && { inverse: true }),
  };
}

/** Equal for equal criteria, in any order. */
export const queryOf = (criteres: CriteresGardes): string => {
  const params = paramsOf(criteres);
  params.sort();
  return params.toString();
};

/** Whether the catalogue shows a saved search completely: it cannot show unknown or deleted criteria. */
export const isWhole = ({ lost, gone }: ReadCriteres): boolean => lost.length + gone.length === 0;

/** The catalogue for a search; the screen of a list, or of a search with unknown criteria or names. */
export const openedBy = ({ id, criteres }: Selection): string =>
  criteres !== null && isWhole(readCriteres(criteres))
    ? href(`/?${queryOf(criteres)}`)
    : href(`/selections/${id}`);

/** The form that saves the catalogue's present criteria. */
export const saveHrefOf = (params: URLSearchParams): string =>
  href(`/selections/ajouter?${queryOf(criteresOf(params))}`);
