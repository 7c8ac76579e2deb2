import type { PlayedRecord } from '../../demo/upstream/records.ts';

/** A family of writers: the index for « Jean Martin » combines words of different people. */
const editions: readonly (readonly [titre: string, ...people: string[]])[] = [
  // His own books in several editions, with the name in any order.
  ['La lande : roman / Jean Martin', 'Martin, Jean (1920-1999). Auteur du texte'],
  ['La lande / Jean Martin ; dessins de Luc Roy', 'Martin, Jean (1920-1999). Auteur du texte'],
  ['LA LANDE', 'MARTIN, Jean. Auteur du texte', 'Roy, Luc (1950-....). Illustrateur'],
  ['Le phare', 'Martin, Jean (1920-1999). Auteur du texte', 'Martin, Anne. Auteur du texte'],
  // Books by relatives, and by people whose words combine to his name.
  ['Le verger', 'Martin, Anne (1950-....). Auteur du texte', 'Martin, Jean. Préfacier'],
  ['Deux frères', 'Martin, Paul. Auteur du texte', 'Roy, Jean. Auteur du texte'],
  ['Le port', 'Martin, Jean-Paul (1948-....). Auteur du texte'],
  ['Initiales', 'Martin, J. Auteur du texte'],
  ['Traduit', 'Martin, Jean. Traducteur', 'Smith, John. Auteur du texte'],
  ['Adapté', 'Martin, Jean (1920-1999). Auteur adapté', 'Roy, Luc. Auteur du texte'],
  // Without any other contributor, the photographer is the author.
  ['Images', 'Martin, Jean (1920-1999). Photographe'],
];

const DATES = ['1962', 'DL 1958', '[s.d.]', '1971'];
const NUMEROS = ['ISBN 9782948012017', 'ISBN 2948012031', '', 'ISBN 9782948012048'];

export const FAMILY: readonly PlayedRecord[] = editions.map(([titre, ...creators], index) => ({
  ark: `cb91${String(index)}`,
  titre,
  creators,
  numeros: [NUMEROS[index] ?? ''].filter((numero) => numero !== ''),
  ...(DATES[index] === undefined ? {} : { date: DATES[index] }),
}));
