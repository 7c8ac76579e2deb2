import type { Perte } from '#shared/export';
import { LIVRE_TEXTS } from '#shared/livres';
import { mapObject } from '#shared/object-keys';
import { m } from '$lib/paraglide/messages';

/** The labels of lost fields in the manual. */
export const perteLabels: Readonly<Record<Perte, () => string>> = {
  ajout: m.perte_ajout,
  couvertures: m.perte_couvertures,
  emprunts: m.perte_emprunts,
  pretsRendus: m.perte_prets_rendus,
  rangs: m.perte_rangs,
  series: m.perte_series,
  ailleurs: m.perte_ailleurs,
  souhaits: m.perte_souhaits,
  revues: m.perte_revues,
  selections: m.perte_selections,
  objectifs: m.perte_objectifs,
  auteurs: m.perte_auteurs,
  type: m.perte_type,
  coverUrl: m.perte_cover_url,
  emplacement: m.perte_emplacement,
  prets: m.perte_prets,
  debuts: m.perte_debuts,
  demiEtoiles: m.perte_demi_etoiles,
  pages: m.perte_pages,
  titres: m.perte_titres,
  etats: m.perte_etats,
  details: m.perte_details,
  autresDetails: m.perte_autres_details,
  lectures: m.perte_lectures,
  relectures: m.perte_relectures,
  noms: m.perte_noms,
  ...mapObject(
    LIVRE_TEXTS,
    (_, { label }) =>
      () =>
        m.perte_champ({ nom: label() }),
  ),
};
