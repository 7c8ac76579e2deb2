// The sentences by which earlier versions stored messages about a file. Independent of today's
// messages.

// cspell:disable -- French sentences

/** Sentences without names and numbers. */
const WHOLE: ReadonlyMap<string, string> = new Map([
  ['ni titre ni ISBN valable', 'niTitreNiIsbn'],
  ['en attente d’une réponse des catalogues', 'enAttente'],
  ['nom d’auteur trop long, laissé de côté', 'nomTropLong'],
  ['titre ou numéro de série trop long, laissé de côté', 'serieTropLongue'],
  ['tomes contenus illisibles, laissés de côté', 'tomesIllisibles'],
  ['éditeur trop long, laissé de côté', 'editeurTropLong'],
  ['emplacement de trop de niveaux ou de nom trop long, laissé de côté', 'emplacementTropLong'],
  ['un souhait n’a pas de thèmes, laissés de côté', 'souhaitSansThemes'],
  ['un souhait n’a pas de détails, laissés de côté', 'souhaitSansDetails'],
  ['une lecture sans livre n’a pas de détails, laissés de côté', 'lectureSansDetails'],
  ['nom d’emprunteur trop long, prêt laissé de côté', 'emprunteurTropLong'],
  ['nom de qui a prêté le livre trop long, emprunt laissé de côté', 'preteurTropLong'],
  ['emprunt sans date : c’est le jour de l’import qui est noté', 'empruntSansDate'],
  ['prêt sans date : c’est le jour de l’import qui est noté', 'pretSansDate'],
  ['déjà à nous : l’emprunt est laissé de côté', 'dejaANous'],
  ['un livre numérique ne se prête pas : prêt laissé de côté', 'numeriqueSansPret'],
  ['un livre emprunté ne se prête pas : prêt laissé de côté', 'empruntSansPret'],
  ['note personnelle d’un livre pas encore lu, laissée de côté', 'noteSansLecture'],
  ['page d’un livre dont aucune lecture n’est dite, laissée de côté', 'pageSansLecture'],
  ['lecture en cours sans début : c’est le jour de l’import qui est noté', 'lectureSansDebut'],
  ['critique trop longue, coupée', 'critiqueCoupee'],
  ['lecture laissée de côté : rien ne dit qui vous êtes', 'lectureSansPersonne'],
  ['statut laissé de côté : rien ne dit qui vous êtes', 'statutSansPersonne'],
  ['une lecture est personnelle, et rien ne dit qui vous êtes', 'lecturePersonnelle'],
  ['un souhait est personnel, et rien ne dit qui vous êtes', 'souhaitPersonnel'],
  ['laissé de côté, comme demandé', 'laisseDeCote'],
  ['déjà dans la bibliothèque', 'dejaLa'],
  ['déjà dans la liste de souhaits', 'dejaSouhaite'],
  ['un catalogue n’a pas répondu', 'catalogueMuet'],
  ['inconnu des catalogues', 'inconnuDesCatalogues'],
  ['ce n’est pas un livre', 'pasLivre'],
  ['ce n’est pas la fiche d’un livre', 'pasFiche'],
  ['un chapitre, dont le fichier ne nomme pas le livre', 'chapitreSeul'],
  ['noté dans Alexandria comme pas possédé', 'alexandriaSansLivre'],
  ['lu et pas possédé, d’après LibraryThing', 'libraryThingSansLivre'],
  ['noté dans StoryGraph comme pas possédé', 'storyGraphSansLivre'],
  ['noté comme sorti de la bibliothèque', 'sorti'],
  ['ce n’est pas un emprunt (rien)', 'pasEmpruntRien'],
  ['emprunté à une bibliothèque', 'empruntBibliotheque'],
  ['pas dans votre collection, d’après Bubble', 'bubbleSansLivre'],
  ['supprimé dans Openreads', 'openreadsSupprime'],
  ['cet export ne contient que ce qui est partagé', 'partageSeul'],
  [
    'cette archive vient de la copie d’un appareil : n’y sont pas les souhaits, les statuts et les lectures des autres, qui reviennent de leurs appareils, ni les images d’origine, les noms d’auteurs corrigés, les fusions refusées et l’historique',
    'deCopie',
  ],
  ['la dernière fiche n’est pas finie : le fichier est peut-être coupé', 'ficheCoupee'],
  ['le fichier n’est pas fini : il est peut-être coupé', 'fichierCoupe'],
  [
    'accents lus selon les anciennes normes des bibliothèques : vérifiez quelques titres',
    'marcAccents',
  ],
]);

/** The beginnings of sentences that end with a value of the file, and the name of that value. */
const BEGINNINGS: readonly (readonly [beginning: string, code: string, value: string])[] = [
  ['c’est le code d’une partition, pas d’un livre, laissé de côté : ', 'codeMusique', 'dit'],
  ['c’est le code d’un produit, pas un ISBN, laissé de côté : ', 'codeProduit', 'dit'],
  ['c’est le code d’un magazine, pas d’un livre, laissé de côté : ', 'codeMagazine', 'dit'],
  ['ISBN abîmé par un tableur, laissé de côté : ', 'isbnAbime', 'dit'],
  ['ce n’est pas un ISBN, laissé de côté : ', 'pasIsbn', 'dit'],
  ['adresse de couverture illisible, laissée de côté : ', 'adresseIllisible', 'dit'],
  ['année illisible, laissée de côté : ', 'anneeIllisible', 'dit'],
  ['année impossible, laissée de côté : ', 'anneeImpossible', 'valeur'],
  ['nombre de pages illisible, laissé de côté : ', 'pagesIllisibles', 'dit'],
  ['nombre de pages impossible, laissé de côté : ', 'pagesImpossibles', 'valeur'],
  ['étiquette trop longue, laissée de côté : ', 'etiquetteTropLongue', 'dit'],
  ['statut inconnu, laissé de côté : ', 'statutInconnu', 'dit'],
  ['date de prêt illisible, laissée de côté : ', 'datePretIllisible', 'dit'],
  ['jour de retour illisible, laissé de côté : ', 'retourIllisible', 'dit'],
  ['jour de retour avant celui du prêt, laissé de côté : ', 'retourAvantPret', 'jour'],
  ['jour de l’emprunt illisible, laissé de côté : ', 'jourEmpruntIllisible', 'dit'],
  ['jour de retour avant celui de l’emprunt, laissé de côté : ', 'retourAvantEmprunt', 'jour'],
  ['prêt sans emprunteur, laissé de côté : ', 'pretSansEmprunteur', 'dit'],
  ['déjà prêté à ', 'dejaPrete', 'emprunteur'],
  ['note illisible, laissée de côté : ', 'noteIllisible', 'dit'],
  ['page atteinte illisible, laissée de côté : ', 'pageIllisible', 'dit'],
  ['page atteinte au-delà du livre, laissée de côté : ', 'pageAuDela', 'page'],
  ['jour de la page illisible, laissé de côté : ', 'jourPageIllisible', 'dit'],
  ['début de lecture illisible, laissé de côté : ', 'debutIllisible', 'dit'],
  ['jour d’abandon illisible, laissé de côté : ', 'abandonIllisible', 'dit'],
  ['un des deux jours illisible, laissé de côté : ', 'jourIllisible', 'dit'],
  ['date de lecture illisible, laissée de côté : ', 'dateLectureIllisible', 'dit'],
  ['déjà à la ligne ', 'dejaLigne', 'ligne'],
  ['un chapitre, entré par le livre qui le contient : ', 'chapitre', 'chapitre'],
  ['couvertures abîmées, laissées de côté : ', 'couverturesAbimees', 'nombre'],
  ['couvertures de trop pour ce fichier, laissées de côté : ', 'couverturesDeTrop', 'nombre'],
  ['un fichier ne se lit pas : ', 'fichierNonLu', 'nom'],
  ['une fiche ne se lit pas : ', 'ficheNonLue', 'dit'],
  ['champs de notice laissés de côté : ', 'marcChamps', 'champs'],
];

/** The message of such a sentence as JSON; the sentence itself if it is ambiguous. */
export function reasonOfSentence(sentence: unknown): string | null {
  if (typeof sentence !== 'string') return null;
  const code = WHOLE.get(sentence);
  if (code !== undefined) return JSON.stringify({ code, arguments: {} });
  for (const [beginning, of, name] of BEGINNINGS)
    if (sentence.startsWith(beginning)) {
      const text = sentence.slice(beginning.length);
      const isNumber = NUMBERS.has(name);
      if (isNumber && !/^-?[1-9]\d{0,14}$/.test(text)) continue;
      return JSON.stringify({ code: of, arguments: { [name]: isNumber ? Number(text) : text } });
    }
  return JSON.stringify({ code: 'phrase', arguments: { phrase: sentence } });
}

/** Arguments that are numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['ligne', 'nombre', 'page', 'valeur']);
