import { readFileSync } from 'node:fs';
import type { LivreSaisi, TypeDocument } from '#shared/livres';

/** The demonstration's books as a person would type them, from the lines of `livres.txt`. */
export function readLivres(): LivreSaisi[] {
  return readFileSync(new URL('livres.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(livre);
}

function livre(line: string): LivreSaisi {
  const fields = line.split('|').map((field) => field.trim());
  const [titre = '', auteurs = '', editeur = '', annee = '', isbn = '', kind = ''] = fields;
  const [pages = '', themes = ''] = fields.slice(6);
  return {
    titre,
    auteurs: auteurs.split(';'),
    editeur,
    isbn,
    annee: annee === '' ? null : Number(annee),
    nombrePages: pages === '' ? null : Number(pages),
    format: kind.includes('N') ? 'Numerique' : 'Physique',
    typeDocument: typeDocument(kind),
    themes: themes === '' ? [] : themes.split(' ; '),
  };
}

function typeDocument(kind: string): TypeDocument {
  if (kind.includes('R')) return 'Roman';
  return kind.includes('B') ? 'BandeDessinee' : 'NonPrecise';
}
