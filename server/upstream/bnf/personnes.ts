import { texteNet } from '#server/upstream/texte';
import { ordreDeLecture, sansRepetition } from '#server/upstream/noms';

/** A person or body of a record: a name in reading order, and the roles that the record gives. */
export interface Personne {
  readonly nom: string;
  readonly roles: readonly string[];
}

/** How the BnF's roles begin: in a text without dates, only this tells a role from a name. */
const ROLE = new RegExp(
  '^(?:Auteur|Autrice|Traduct|Illustrat|Préfac|Postfac|Éditeur|Editeur|Scénariste|Dessinat|Colorist|' +
    'Photograph|Adaptat|Annotat|Collaborat|Commentat|Compilat|Composit|Concept|Direct|Réalisat|' +
    'Interpr|Narrat|Lect|Récitant|Parolier|Producteur|Rédact|Graveur|Imprim|Librair|Public|' +
    'Présentat|Organisat|Particip|Ancien|Dédicat|Destinat|Correspond|Intervie|Personne|' +
    'Cartograph|Calligraph|Maquettist|Graphist|Relieur|Fonction|Contribut|Directrice)',
  'u',
);

const AUTEUR = /^(?:Auteur(?! adapté)|Scénariste|Dessinateur)/u;
const A_DEFAUT = /^(?:Illustrateur|Photographe|Éditeur scientifique)/u;

/**
 * Reads « Ménard, Jean-François (1948-.... ; romancier pour la jeunesse). Traducteur ». The
 * bracketed group goes before the role is looked for: dates and initials have full stops, too.
 */
export function lirePersonne(texte: string): Personne | null {
  const net = texteNet(texte);
  const groupe = net.indexOf('(');
  const { forme, roles } = groupe === -1 ? sansGroupe(net) : avecGroupe(net, groupe);
  const nom = ordreDeLecture(forme);
  return nom === '' ? null : { nom, roles };
}

/**
 * The authors among the people of a record (contract.md « Who is an author of a BnF record »):
 * whoever has an author's role or none; where there is nobody, illustrators, photographers and
 * scientific editors. The role decides, not the element: non-authors stand in dc:creator and
 * authors in dc:contributor.
 */
export function auteursParmi(personnes: readonly Personne[]): string[] {
  const qui = (role: RegExp) => personnes.filter(({ roles }) => roles.some((r) => role.test(r)));
  const premiers = personnes.filter(
    ({ roles }) => roles.length === 0 || roles.some((role) => AUTEUR.test(role)),
  );
  const auteurs = premiers.length > 0 ? premiers : qui(A_DEFAUT);
  return sansRepetition(auteurs.map(({ nom }) => nom));
}

interface Lecture {
  readonly forme: string;
  readonly roles: readonly string[];
}

function avecGroupe(texte: string, groupe: number): Lecture {
  const suite = texte.slice(groupe).replace(/\([^)]*\)?/gu, '');
  return {
    forme: texte.slice(0, groupe).trim(),
    roles: morceaux(suite).filter((morceau) => morceau !== ''),
  };
}

/**
 * Without dates a full stop may end an initial (« Green, Simon R. Auteur du texte »), a body
 * (« France. Ministère de la culture ») or the name: the first known role ends the name, else,
 * after a comma, the first whole word does.
 */
function sansGroupe(texte: string): Lecture {
  const parties = morceaux(texte);
  const connu = parties.findIndex((partie, rang) => rang > 0 && ROLE.test(partie));
  const fin = connu !== -1 || !texte.includes(',') ? connu : premierMotEntier(parties);
  const nom = fin === -1 ? parties : parties.slice(0, fin);
  return {
    forme: nom.join('. ').replace(/(?<=^|[\s.-])(\p{Lu})$/u, '$1.'),
    roles: fin === -1 ? [] : parties.slice(fin),
  };
}

const premierMotEntier = (parties: readonly string[]): number =>
  parties.findIndex((partie, rang) => rang > 0 && /\p{L}{3}/u.test(partie));

const morceaux = (texte: string): string[] =>
  texte.split(/\.\s+|\.$/u).map((morceau) => morceau.replace(/^[\s.]+|[\s.]+$/gu, ''));
