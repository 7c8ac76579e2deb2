import { m } from '#messages';
import { formatChampFault } from '#shared/champs';
import { nomIn } from '#shared/detail-names';
import { isLocale, type Locale } from '#shared/locale';
import { Refusal } from '#shared/refusals';
import type { RefusalDetails } from '#shared/refusal-details';
import { isLivreText, LIVRE_TEXTS } from '#shared/livres';
import { mapObject } from '#shared/object-keys';
import { parseStored } from './stored-json.ts';

// The messages about a file and its rows (docs/rules.md § 35). The database stores a code with its
// arguments; the sentence is made when it is read, in the reader's language.

/** Name of a text field inside a sentence: « éditeur ». */
function nameOfText({ champ }: { readonly champ: string }, reading: Reading): string {
  if (!isLivreText(champ)) return champ;
  const name = LIVRE_TEXTS[champ].label({}, reading);
  return name.charAt(0).toLocaleLowerCase(reading.locale) + name.slice(1);
}

const RAISONS = {
  // Codes
  isbnSeContredisent: m.reason_isbn_se_contredisent,
  et: m.reason_et,
  puis: m.reason_puis,
  autres: m.reason_autres,
  codeMusique: m.reason_code_musique,
  codeProduit: m.reason_code_produit,
  codeMagazine: m.reason_code_magazine,
  isbnAbime: m.reason_isbn_abime,
  pasIsbn: m.reason_pas_isbn,
  // Fields of a row
  titreTropLong: m.reason_titre_trop_long,
  niTitreNiIsbn: m.reason_ni_titre_ni_isbn,
  enAttente: m.reason_en_attente,
  adresseIllisible: m.reason_adresse_illisible,
  nomTropLong: m.reason_nom_trop_long,
  auteursDeTrop: m.reason_auteurs_de_trop,
  serieTropLongue: m.reason_serie_trop_longue,
  numeroDevenuJour: m.reason_numero_devenu_jour,
  tomesIllisibles: m.reason_tomes_illisibles,
  texteTropLong: m.reason_texte_trop_long,
  anneeIllisible: m.reason_annee_illisible,
  anneeImpossible: m.reason_annee_impossible,
  pagesIllisibles: m.reason_pages_illisibles,
  pagesImpossibles: m.reason_pages_impossibles,
  emplacementTropLong: m.reason_emplacement_trop_long,
  etiquettesDeTrop: m.reason_etiquettes_de_trop,
  etiquetteTropLongue: m.reason_etiquette_trop_longue,
  statutInconnu: m.reason_statut_inconnu,
  exemplaires: m.reason_exemplaires,
  texteCoupe: m.reason_texte_coupe,
  cellulesDecalees: m.reason_cellules_decalees,
  roleNonRepris: m.reason_role_non_repris,
  pasAuteur: m.reason_pas_auteur,
  // Themes and details
  souhaitSansThemes: m.reason_souhait_sans_themes,
  themesDeTrop: m.reason_themes_de_trop,
  souhaitSansDetails: m.reason_souhait_sans_details,
  lectureSansThemes: m.reason_lecture_sans_themes,
  lectureSansDetails: m.reason_lecture_sans_details,
  detailsDeTrop: m.reason_details_de_trop,
  detailCoupe: m.reason_detail_coupe,
  // Loans
  emprunteurTropLong: m.reason_emprunteur_trop_long,
  datePretIllisible: m.reason_date_pret_illisible,
  retourIllisible: m.reason_retour_illisible,
  retourAvantPret: m.reason_retour_avant_pret,
  preteurTropLong: m.reason_preteur_trop_long,
  jourEmpruntIllisible: m.reason_jour_emprunt_illisible,
  empruntSansDate: m.reason_emprunt_sans_date,
  retourAvantEmprunt: m.reason_retour_avant_emprunt,
  pretSansEmprunteur: m.reason_pret_sans_emprunteur,
  pretSansDate: m.reason_pret_sans_date,
  dejaANous: m.reason_deja_a_nous,
  numeriqueSansPret: m.reason_numerique_sans_pret,
  empruntSansPret: m.reason_emprunt_sans_pret,
  dejaPrete: m.reason_deja_prete,
  // Readings
  noteIllisible: m.reason_note_illisible,
  noteSansLecture: m.reason_note_sans_lecture,
  pageSansLecture: m.reason_page_sans_lecture,
  lectureSansDebut: m.reason_lecture_sans_debut,
  pageIllisible: m.reason_page_illisible,
  pageAuDela: m.reason_page_au_dela,
  jourPageIllisible: m.reason_jour_page_illisible,
  debutIllisible: m.reason_debut_illisible,
  abandonIllisible: m.reason_abandon_illisible,
  jourIllisible: m.reason_jour_illisible,
  dateLectureIllisible: m.reason_date_lecture_illisible,
  datesDeTrop: m.reason_dates_de_trop,
  critiqueCoupee: m.reason_critique_coupee,
  lectureSansPersonne: m.reason_lecture_sans_personne,
  statutSansPersonne: m.reason_statut_sans_personne,
  lecturePersonnelle: m.reason_lecture_personnelle,
  souhaitPersonnel: m.reason_souhait_personnel,
  parti: m.reason_parti,
  lectureNotee: m.reason_lecture_notee,
  lectureEnCours: m.reason_lecture_en_cours,
  // The outcome of a row
  laisseDeCote: m.reason_laisse_de_cote,
  dejaLigne: m.reason_deja_ligne,
  dejaLa: m.reason_deja_la,
  dejaSouhaite: m.reason_deja_souhaite,
  complete: m.reason_complete,
  champAuteurs: m.reason_champ_auteurs,
  champIsbn: m.reason_champ_isbn,
  champAnnee: m.reason_champ_annee,
  champPages: m.reason_champ_pages,
  champEmplacement: m.reason_champ_emplacement,
  champANous: m.reason_champ_a_nous,
  champThemes: m.reason_champ_themes,
  champDetails: m.reason_champ_details,
  memeIsbn: m.reason_meme_isbn,
  isbnAutreTitre: m.reason_isbn_autre_titre,
  memeOeuvre: m.reason_meme_oeuvre,
  seriePleine: m.reason_serie_pleine,
  manquantsDeTrop: m.reason_manquants_de_trop,
  catalogueMuet: m.reason_catalogue_muet,
  inconnuDesCatalogues: m.reason_inconnu_des_catalogues,
  // Messages about rows of other programs
  pasLivre: m.reason_pas_livre,
  pasLivreMais: m.reason_pas_livre_mais,
  pasFiche: m.reason_pas_fiche,
  chapitreSeul: m.reason_chapitre_seul,
  chapitre: m.reason_chapitre,
  alexandriaSansLivre: m.reason_alexandria_sans_livre,
  libraryThingSansLivre: m.reason_library_thing_sans_livre,
  storyGraphSansLivre: m.reason_story_graph_sans_livre,
  hardcoverSansLivre: m.reason_hardcover_sans_livre,
  openLibrarySeul: m.reason_open_library_seul,
  sorti: m.reason_sorti,
  rendu: m.reason_rendu,
  clz: m.reason_clz,
  pasEmpruntRien: m.reason_pas_emprunt_rien,
  pasEmprunt: m.reason_pas_emprunt,
  pasEmpruntRendu: m.reason_pas_emprunt_rendu,
  empruntBibliotheque: m.reason_emprunt_bibliotheque,
  emprunteA: m.reason_emprunte_a,
  bubbleSansLivre: m.reason_bubble_sans_livre,
  openreadsSupprime: m.reason_openreads_supprime,
  // Messages about a file
  personnelDAutrui: m.reason_personnel_d_autrui,
  partageSeul: m.reason_partage_seul,
  deCopie: m.reason_de_copie,
  couverturesNonReprises: m.reason_couvertures_non_reprises,
  couverturesAbimees: m.reason_couvertures_abimees,
  couverturesDeTrop: m.reason_couvertures_de_trop,
  lettresMalEcrites: m.reason_lettres_mal_ecrites,
  accentsRepares: m.reason_accents_repares,
  feuille: m.reason_feuille,
  premiereLigneLivre: m.reason_premiere_ligne_livre,
  feuilleLarge: m.reason_feuille_large,
  cellulesCommunes: m.reason_cellules_communes,
  fichierNonLu: m.reason_fichier_non_lu,
  ficheNonLue: m.reason_fiche_non_lue,
  ficheCoupee: m.reason_fiche_coupee,
  fichierCoupe: m.reason_fichier_coupe,
  marcAccents: m.reason_marc_accents,
  marcChamps: m.reason_marc_champs,
  marcRepertoire: m.reason_marc_repertoire,
  // Invalid values of an archive
  dansFiche: m.reason_dans_fiche,
  autresValeursDe: m.reason_autres_valeurs_de,
  autresValeurs: m.reason_autres_valeurs,
  champLaisse: m.reason_champ_laisse,
  valeurLaissee: m.reason_valeur_laissee,
  ficheIllisible: m.reason_fiche_illisible,
  apresFin: m.reason_apres_fin,
  sansPage: m.reason_sans_page,
  aCoteDePage: m.reason_a_cote_de_page,
  autreDetail: m.reason_autre_detail,
  avantEmprunt: m.reason_avant_emprunt,
  autrePret: m.reason_autre_pret,
  dejaEmprunte: m.reason_deja_emprunte,
  sansFiche: m.reason_sans_fiche,
  numeroSansRevue: m.reason_numero_sans_revue,
  // Why a file is not read
  fichierVide: m.reason_fichier_vide,
  aucuneLigne: m.reason_aucune_ligne,
  envoiAbandonne: m.reason_backup_broken_off,
  lignesDeTrop: m.reason_lignes_de_trop,
  numeroTropGrand: m.reason_numero_trop_grand,
  memeNumero: m.reason_meme_numero,
  exportPlusRecent: m.reason_export_plus_recent,
  zipSansExport: m.reason_zip_sans_export,
  fichesDeTrop: m.reason_fiches_de_trop,
  epub: m.reason_epub,
  traitementDeTexte: m.reason_traitement_de_texte,
  presentation: m.reason_presentation,
  documentApple: m.reason_document_apple,
  classeurBinaire: m.reason_classeur_binaire,
  zipInconnu: m.reason_zip_inconnu,
  yamlTropLong: m.reason_yaml_trop_long,
  classeurIllisible: m.reason_classeur_illisible,
  classeurVide: m.reason_classeur_vide,
  gcstarSansLivres: m.reason_gcstar_sans_livres,
  tellicoSansLivres: m.reason_tellico_sans_livres,
  marcCoupe: m.reason_marc_coupe,
  marcAbime: m.reason_marc_abime,
  classeurAncien: m.reason_classeur_ancien,
  compresse: m.reason_compresse,
  pdf: m.reason_pdf,
  rtf: m.reason_rtf,
  baseDeDonnees: m.reason_base_de_donnees,
  pasTexteExportez: m.reason_pas_texte_exportez,
  pasTexte: m.reason_pas_texte,
  pageWeb: m.reason_page_web,
  xmlInconnu: m.reason_xml_inconnu,
  sauvegarde: m.reason_sauvegarde,
  ligneTropLongue: m.reason_ligne_trop_longue,
  guillemetsOuverts: m.reason_guillemets_ouverts,
  pasTable: m.reason_pas_table,
  colonnesDeTrop: m.reason_colonnes_de_trop,
  ligneDeListeTropLongue: m.reason_ligne_de_liste_trop_longue,
  jsonCoupe: m.reason_json_coupe,
  jsonInconnu: m.reason_json_inconnu,
  colonneAbsente: m.reason_colonne_absente,
  tableInconnue: m.reason_table_inconnue,
  xmlNoms: m.reason_xml_noms,
  xmlCoupe: m.reason_xml_coupe,
  xmlTropPlein: m.reason_xml_trop_plein,
  ficheTropPleine: m.reason_fiche_trop_pleine,
  xmlAbime: m.reason_xml_abime,
  abreviationsTropLongues: m.reason_abreviations_trop_longues,
  tropDeTemps: m.reason_trop_de_temps,
  tropDeMemoire: m.reason_trop_de_memoire,
  // Archives and backups
  archiveAbimee: m.reason_archive_damaged,
  archiveTropDeFichiers: m.reason_archive_too_many,
  archiveModifiee: m.reason_archive_same_name,
  archiveProtegee: m.reason_archive_encrypted,
  archiveTropGrande: m.reason_archive_too_large,
  fichierAbsent: m.reason_backup_no_file,
  pasSauvegarde: m.reason_backup_none,
  sauvegardePlusRecente: m.reason_backup_newer,
  schemaPlusRecent: m.reason_backup_newer_schema,
  schemaTropAncien: m.reason_backup_older,
  sauvegardeModifiee: m.reason_backup_changed,
  sauvegardeSansFin: m.reason_backup_endless,
  sauvegardeAbimee: m.reason_backup_damaged,
  baseAvecJournal: m.reason_database_with_log,
  sauvegardeIllisible: m.reason_backup_unreadable,
  ligneImpossible: m.reason_backup_row,
  sauvegardeNonRestaurable: m.reason_backup_not_restorable,
  // Other
  champ: formatChampFault,
  nomDeChamp: nameOfText,
  nomDeDetail: ({ nom }: { readonly nom: string }, reading: Reading) => {
    const locale = m.locale({}, reading);
    return isLocale(locale) ? nomIn(locale, nom) : nom;
  },
  // Codes that only dry runs of earlier versions have
  champEditeur: (_: object, reading: Reading) => nameOfText({ champ: 'editeur' }, reading),
  editeurTropLong: (_: object, reading: Reading) =>
    m.reason_texte_trop_long({ champ: nameOfText({ champ: 'editeur' }, reading) }, reading),
  /** A sentence of an earlier version of which nothing else is known. */
  phrase: ({ phrase }: { readonly phrase: string }) => phrase,
} as const;

export type RaisonCode = keyof typeof RAISONS;

/** A message code with its arguments. An argument may be a message itself; the items of a list are joined by commas. */
export interface RaisonMessage {
  readonly code: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

type Value = string | number | RaisonMessage | readonly (string | RaisonMessage)[];

type Given<C extends RaisonCode> = C extends 'champ' | 'phrase'
  ? Parameters<(typeof RAISONS)[C]>[0]
  : { readonly [P in keyof Parameters<(typeof RAISONS)[C]>[0]]: Value };

declare const packed: unique symbol;

/** A message as JSON, as the database stores it: equal messages are equal texts. */
export type Raison = string & { readonly [packed]: true };

/** A list's values that a sentence names; it counts the rest. */
const MAX_NAMED = 30;

/** Builds a message from its code and arguments. */
export function raison<C extends RaisonCode>(
  code: C,
  ...[given]: keyof Given<C> extends never ? [] : [Given<C>]
): Raison {
  return unsafeRaison(JSON.stringify({ code, arguments: mapObject(given ?? {}, shortList) }));
}

function shortList(_name: string, value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= MAX_NAMED + 1) return value;
  const named: unknown[] = value.slice(0, MAX_NAMED);
  return [...named, messageOf(raison('autres', { count: value.length - MAX_NAMED }))];
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- only `raison` writes these texts
const unsafeRaison = (text: string): Raison => text as Raison;

export const messageOf = (given: Raison): RaisonMessage => parseStored<RaisonMessage>(given);

/** The sentence of a message, in the language of the request unless `reading` names another. */
export const formatRaison = (given: Raison, reading: Reading = {}): string =>
  sentenceOf(messageOf(given), reading);

/** A message with its sentence. */
export function withSentence(given: Raison): RaisonMessage & { readonly raison: string } {
  const message = messageOf(given);
  return { raison: sentenceOf(message, {}), ...message };
}

interface Reading {
  readonly locale?: Locale;
}

/** An unknown code is returned as it is: a newer version may have stored it. */
export function sentenceOf({ code, arguments: given }: RaisonMessage, reading: Reading): string {
  const message: unknown = Object.hasOwn(RAISONS, code) ? Reflect.get(RAISONS, code) : undefined;
  if (typeof message !== 'function') return code;
  const formatted =
    code === 'champ' ? given : mapObject(given, (_, value) => formatArgument(value, reading));
  return String(Reflect.apply(message, undefined, [formatted, reading]));
}

/** Formats an argument for a sentence. */
function formatArgument(value: unknown, reading: Reading): unknown {
  if (Array.isArray(value))
    return value.map((one: unknown) => formatArgument(one, reading)).join(', ');
  return isMessage(value) ? sentenceOf(value, reading) : value;
}

const isMessage = (value: unknown): value is RaisonMessage =>
  typeof value === 'object' && value !== null && 'code' in value && 'arguments' in value;

/** Joins several messages by semicolons. */
export const inRow = (raisons: readonly Raison[]): RaisonMessage | string =>
  raisons
    .map(messageOf)
    .reduce<RaisonMessage | string>(
      (one, other) => (one === '' ? other : messageOf(raison('puis', { one, other }))),
      '',
    );

/** A refusal of a file that cannot be read. */
export const invalid = (
  given: Raison,
  more: Omit<RefusalDetails['FICHIER_INVALIDE'], 'raison' | 'arguments'> = {},
): Refusal => {
  const { code, arguments: values } = messageOf(given);
  const refusal = new Refusal('FICHIER_INVALIDE', { raison: code, arguments: values, ...more });
  // The message is for commands and logs; clients get a sentence in their own language.
  refusal.message = formatRaison(given);
  return refusal;
};
