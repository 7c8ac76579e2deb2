import type { LivreTexts } from '#shared/livres';
import { m } from '$lib/paraglide/messages';

export const livreTextLabels: LivreTexts<() => string> = {
  editeur: m.field_editeur,
};
