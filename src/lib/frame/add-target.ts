import { href, base } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';

/** What « Ajouter » adds from a place, and the address of its form. */
interface AddTarget {
  readonly href: string;
  /** Says in words what is added; its name is always « Ajouter ». */
  readonly purpose: string;
}

export const LIVRE_FORM = href('/livres/ajouter');

/** What an address suggests to add: a wish among wishes, a reading among readings, an issue on a periodical, else a book. */
export function addTargetOf(pathname: string): AddTarget {
  const [, place, id] = pathname.slice(base.length).split('/');
  if (place === 'souhaits')
    return { href: href('/souhaits/ajouter'), purpose: m.ajouter_souhait() };
  if (place === 'lectures')
    return { href: href('/lectures/ajouter'), purpose: m.ajouter_lecture() };
  if (place === 'series') return { href: href('/series/ajouter'), purpose: m.ajouter_serie() };
  if (place !== 'revues') return { href: LIVRE_FORM, purpose: m.ajouter_livre() };
  if (id === undefined || !/^\d+$/.test(id))
    return { href: href('/revues/ajouter'), purpose: m.ajouter_revue() };
  return { href: href(`/revues/${id}/numeros/ajouter`), purpose: m.ajouter_numero() };
}
