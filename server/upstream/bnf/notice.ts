import { LONGUEURS } from '#shared/fields';
import { lireIsbn } from '#shared/isbn';
import { lireIssn } from '#shared/issn';
import { anneeDe } from '#server/upstream/annee';
import type { Fiche } from '#server/upstream/fiche';
import { nombreDePages } from '#server/upstream/pages';
import { borner, texteNet } from '#server/upstream/texte';
import { auteursParmi, lirePersonne } from './personnes.ts';
import type { NoticeSru } from './sru.ts';
import { lireEditeur, lireTitre } from './titre.ts';
import type { XmlElement } from './xml.ts';

const DC = 'http://purl.org/dc/elements/1.1/';

export type Genre = 'livre' | 'revue' | 'autre' | 'inconnu';

/** A record of the BnF: what every source tells, its kind, and its ISSNs in the dashed form. */
export interface Notice extends Fiche {
  readonly genre: Genre;
  readonly issns: readonly string[];
}

/** Reads a record in Dublin Core; `null` for one without a title, which names nothing. */
export function lireNotice({ identifiant, contenu }: NoticeSru): Notice | null {
  const champs = contenu.children.filter(({ namespace }) => namespace === DC);
  const textes = (...noms: string[]) =>
    champs.filter(({ name }) => noms.includes(name)).map(({ text }) => texteNet(text));
  const titre = premier(textes('title'), lireTitre);
  if (titre === null) return null;
  const identifiants = textes('identifier');
  return {
    id: ark(identifiant ?? '') ?? premier(identifiants, ark),
    titre,
    auteurs: auteurs(textes('creator', 'contributor')),
    editeur: premier(textes('publisher'), lireEditeur),
    annee: premier(textes('date'), anneeDe),
    nombrePages: premier(textes('format'), nombreDePages),
    isbns: isbns(identifiants, textes('description')),
    issns: apres(/^ISSN\s+/iu, identifiants).flatMap((code) => lireIssn(code) ?? []),
    genre: genre(champs),
  };
}

function auteurs(textes: readonly string[]): string[] {
  const personnes = textes.flatMap((texte) => lirePersonne(texte) ?? []);
  return auteursParmi(personnes).flatMap((nom) => borner(nom, LONGUEURS.nom) ?? []);
}

/** The ISBNs, and the barcode where it stands in for one: « Code à barres commercial : EAN … ». */
function isbns(identifiants: readonly string[], descriptions: readonly string[]): string[] {
  const codes = [
    ...apres(/^ISBN\s+/iu, identifiants),
    ...apres(/^.*\bEAN\s+(?=[\d -]+$)/u, descriptions),
  ];
  return [...new Set(codes.flatMap((code) => lireIsbn(code) ?? []))];
}

/** The first word of what follows a label: « ISBN 2-07-040850-7 (br.) ». */
const apres = (etiquette: RegExp, textes: readonly string[]): string[] =>
  textes
    .filter((texte) => etiquette.test(texte))
    .map((texte) => texte.replace(etiquette, '').split(' ')[0] ?? '');

/** The record's lasting name, by whatever address it comes. */
const ark = (texte: string): string | null => /ark:\/\d+\/\w+/u.exec(texte)?.[0] ?? null;

/** Only the French word tells: the English « text » stands on manuscripts and serials as well. */
function genre(champs: readonly XmlElement[]): Genre {
  const type = champs.find(
    ({ name, attributes }) => name === 'type' && attributes['xml:lang'] === 'fre',
  );
  const mot = texteNet(type?.text ?? '').toLowerCase();
  if (mot === '') return 'inconnu';
  if (mot.startsWith('texte imprimé')) return 'livre';
  return mot.startsWith('publication en série') ? 'revue' : 'autre';
}

function premier<T>(textes: readonly string[], lire: (texte: string) => T | null): T | null {
  for (const texte of textes) {
    const lu = lire(texte);
    if (lu !== null) return lu;
  }
  return null;
}
