import BookX from '@lucide/svelte/icons/book-x';
import HandHelping from '@lucide/svelte/icons/hand-helping';
import Pencil from '@lucide/svelte/icons/pencil';
import type { Batch } from '$lib/api/feedback.svelte';
import { operation } from '$lib/api/write.svelte';
import { href } from '$lib/format/address';
import { formatDay } from '$lib/format/dates';
import { dayOf } from '$lib/format/days';
import { formatPartialDate } from '$lib/format/partial-date';
import { m } from '$lib/paraglide/messages';
import { views } from '$lib/sync/views.svelte';
import { joinTokens } from '$lib/ui/form/text-entry.svelte';
import type { ActList, EditableKind, ScreenKind } from '$lib/ui/kind';
import * as endpoints from '#shared/livres';
import type { LivreDocument } from '#shared/livres';
import type { Candidat } from '#shared/recherche';
import * as statuts from '#shared/statuts';
import { type StatutOrNull, STATUTS } from '#shared/statuts';
import { emplacementsView } from '../emplacements/view.svelte.ts';
import { LIVRE_FIELDS, LivreEntry } from './entry.svelte.ts';
import { isCodeTitled, livresView, statutLabel } from './view.svelte.ts';

/**
 * Adds a book (docs/rules.md § 9). Throws the refusal `DOUBLON` with `similaires`, unless
 * `confirmerDoublon` is asked.
 */
export const ajouterLivre = operation(endpoints.ajouterLivre);
/** Rewrites a whole book: a field that is left out is cleared, but for its place. */
export const modifierLivre = operation(endpoints.modifierLivre);
/** Puts a book into a series, or takes it out (docs/rules.md § 19). */
export const placerEnSerie = operation(endpoints.placerEnSerie);
/** Puts a book into a location, or takes it out of where it stands (`null`). */
export const rangerLivre = operation(endpoints.rangerLivre);
/** Says in which order books were seen in a location, from left to right; the others keep their neighbours. */
export const ordonnerLivres = operation(endpoints.ordonnerLivres);
/** Throws the refusal `LIVRE_PRETE` while the book is lent. */
export const supprimerLivre = operation(endpoints.supprimerLivre);

const noterStatut = operation(statuts.modifierStatut, {
  // Else the bar tells the act.
  notice: ({ jourCorrige }) => (jourCorrige === undefined ? {} : { text: m.statut_horloge() }),
});

/** Sets the caller's own reading status of a book; `null` goes back to « not started ». */
export const modifierStatut = (livreId: number, statut: StatutOrNull) =>
  noterStatut(livreId, { statut, jour: dayOf(new Date()) });

const formatPretDay = (date: string): string => formatDay(new Date(date));

const statutText = (value: string): string =>
  statutLabel(Object.values(STATUTS).find((statut) => String(statut) === value) ?? null);

const PRETS: ActList = { key: 'prets', label: m.modifications_prets, icon: HandHelping };
const READING: ActList = { key: 'statuts', label: m.modifications_statuts, icon: Pencil };

export const livres: EditableKind<LivreDocument, LivreEntry> & ScreenKind<LivreDocument> = {
  collection: 'livres',
  label: m.kind_livre,
  fields: LIVRE_FIELDS,
  // Its loans, where it stands, and the reader's own status.
  historyFields: [
    { key: 'emprunteur', label: m.field_emprunteur, acts: PRETS },
    { key: 'datePret', label: m.field_date_pret, format: formatPretDay, acts: PRETS },
    {
      key: 'dateRetourPrevue',
      label: m.field_date_retour_prevue,
      format: formatPartialDate,
      acts: PRETS,
    },
    { key: 'dateRetour', label: m.field_date_retour, format: formatPretDay, acts: PRETS },
    {
      key: 'emplacementId',
      label: m.field_emplacement,
      format: (id) => emplacementsView.pathText(Number(id)) || id,
      formatFirst: (emplacement) => m.modification_put({ emplacement }),
    },
    { key: 'statut', label: m.field_statut, format: statutText, acts: READING },
  ],
  get: (id) => livresView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (livre) => new LivreEntry(livre),
  ajouter: (entry, unsent) =>
    ajouterLivre(entry.toSaisie(), { query: { confirmerDoublon: true }, unsent }),
  modifier: (id, entry, ifMatch, unsent) =>
    modifierLivre(id, entry.toSaisie(), { ifMatch, unsent }),
  supprimer: ({ id }, ifMatch) => supprimerLivre(id, { ifMatch }),
  hrefOf: ({ id }) => href(`/livres/${id}`),
  listOf: () => ({ href: href('/'), label: m.back_to_catalogue() }),
  notFound: () => ({
    icon: BookX,
    heading: m.livre_not_found(),
    text: m.not_found_text(),
    back: { href: href('/'), label: m.back_to_catalogue() },
  }),
};

/** The books that bear their codes as titles; reactive. */
export const codeTitled = (): readonly LivreDocument[] =>
  livresView.search({}).filter(isCodeTitled);

/** What a person or a catalogue says of such a book. */
export type LivreTexts = Pick<Candidat, 'titre' | 'auteurs'> & Partial<Candidat>;

/** Gives such a book its title, and whatever else it lacks; an ebook no pages (docs/rules.md § 9). */
export function giveTitre(livre: LivreDocument, texts: LivreTexts, batch: Batch): Promise<unknown> {
  const entry = new LivreEntry(livre);
  entry.setText('titre', texts.titre);
  if (texts.auteurs.length > 0) entry.setText('auteurs', joinTokens(texts.auteurs));
  const keys = ['editeur', 'annee', 'nombrePages', 'coverUrl'] as const;
  entry.prefill({
    code: livre.isbn,
    texts: Object.fromEntries(keys.map((key) => [key, String(texts[key] ?? '')])),
  });
  const ifMatch = views().revisionOf('livres', livre.id);
  return modifierLivre(livre.id, entry.toSaisie(), { ifMatch, batch });
}
