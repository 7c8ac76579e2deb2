import { FORMATS, TYPES_DOCUMENT, type Criteres } from '#shared/livres';
import { m } from '$lib/paraglide/messages';
import { motFormat, motStatut, motTypeDocument } from '$lib/ui/livres/mots';

/** A filter of the catalogue as the address names it; the empty value filters nothing. */
export interface Filtre {
  readonly cle: 'format' | 'statut' | 'typeDocument' | 'disponibilite';
  readonly nom: () => string;
  readonly valeurs: readonly { readonly valeur: string; readonly nom: () => string }[];
}

export const filtres: readonly Filtre[] = [
  {
    cle: 'format',
    nom: m.filtre_format,
    valeurs: [
      { valeur: '', nom: m.filtre_tous },
      ...FORMATS.map((valeur) => ({ valeur, nom: motFormat[valeur] })),
    ],
  },
  {
    cle: 'statut',
    nom: m.filtre_lecture,
    valeurs: [
      { valeur: '', nom: m.filtre_toutes },
      { valeur: 'aucun', nom: m.statut_pas_commence },
      { valeur: '0', nom: motStatut[0] },
      { valeur: '1', nom: motStatut[1] },
      { valeur: '2', nom: motStatut[2] },
    ],
  },
  {
    cle: 'typeDocument',
    nom: m.filtre_type,
    valeurs: [
      { valeur: '', nom: m.filtre_tous },
      { valeur: 'Roman', nom: motTypeDocument.Roman },
      { valeur: 'BandeDessinee', nom: motTypeDocument.BandeDessinee },
      { valeur: 'NonPrecise', nom: motTypeDocument.NonPrecise },
    ],
  },
  {
    cle: 'disponibilite',
    nom: m.filtre_disponibilite,
    valeurs: [
      { valeur: '', nom: m.filtre_tous },
      { valeur: 'chezSoi', nom: m.disponibilite_chez_soi },
      { valeur: 'prete', nom: m.disponibilite_pretes },
    ],
  },
];

const parmi = <T extends string>(valeurs: readonly T[], texte: string | null): T | undefined =>
  valeurs.find((valeur) => valeur === texte);

/** The filters at work. */
export type Choisis = Omit<Criteres, 'recherche'>;

/** The filters that an address asks for; a value that none has is left out. */
export function filtresDe(parametres: URLSearchParams): Choisis {
  const format = parmi(FORMATS, parametres.get('format'));
  const statut = parmi(['0', '1', '2', 'aucun'], parametres.get('statut'));
  const typeDocument = parmi(TYPES_DOCUMENT, parametres.get('typeDocument'));
  const disponibilite = parmi(['chezSoi', 'prete'], parametres.get('disponibilite'));
  return {
    ...(format && { format }),
    ...(statut && { statut }),
    ...(typeDocument && { typeDocument }),
    ...(disponibilite && { disponibilite }),
  };
}
