import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';
import { countsOf, importFile } from './support.ts';

const livresOf = async (house: House) =>
  (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];

const detailsOf = ({ details }: Livre) =>
  Object.fromEntries(details.map(({ nom, valeur }) => [nom, valeur]));

// cspell:disable -- files of other programs
const dict = (pairs: Readonly<Record<string, string>>) =>
  `<dict>${Object.entries(pairs)
    .map(
      ([key, value]) =>
        `<key>${key}</key>\n${value.startsWith('<') ? value : `<string>${value}</string>`}`,
    )
    .join('')}</dict>`;

const plist = (...dicts: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><array>${dicts.join('\n')}</array></plist>`;

const DELICIOUS_3 = plist(
  dict({
    type: 'Book',
    title: 'Le Quai des brumes grises',
    uuidString: 'A1',
    creatorsCompositeString: 'Odile Vautrin\nJean Bar',
    publishersCompositeString: 'Seuil',
    publishDate: '<date>2011-03-14T12:00:00Z</date>',
    pages: '<integer>214</integer>',
    isbn: '9782070360024',
    formatSingularString: 'Paperback',
    isSigned: '<true/>',
    languagesCompositeString: 'fr',
    price: '12 €',
    rating: '<real>4.5</real>',
  }),
  dict({ type: 'Movie', title: 'Un film' }),
);

const BOOKPEDIA = plist(
  dict({
    title: 'Le Quai des brumes grises',
    author: 'Odile Vautrin, Jean Bar',
    isbn: '9782070360024',
    publisher: 'Seuil',
    release: '2011-03-14',
    pages: '214',
    format: 'Broché',
    summary: 'Un port.',
    series: 'Brumes',
    volume: '1',
    translator: 'Lise Marchand',
    location: 'Salon',
    read: '<true/>',
    borrower: 'Paul Renaud',
    dateLent: '2024-01-02',
    custom1: 'bleu',
    signed: '<false/>',
    genre: '<array><string>Policier</string><string>Bretagne</string></array>',
  }),
);

// cspell:enable

test('Delicious Library’s property list: dates, true and false, films refused', async () => {
  const house = await openHouse();
  const importation = await importFile(house, DELICIOUS_3);
  expect(importation).toMatchObject({ format: 'delicious', notes: 1 });
  expect(countsOf(importation)).toMatchObject({
    nouveaux: 1,
    refuses: ['2 ce n’est pas un livre'],
  });
  const [quai] = await livresOf(house);
  expect(quai).toMatchObject({
    isbn: '9782070360024',
    annee: 2011,
    nombrePages: 214,
    auteurs: [{ nom: 'Odile Vautrin' }, { nom: 'Jean Bar' }],
  });
  expect(quai && detailsOf(quai)).toEqual({
    Reliure: 'Paperback',
    Dédicace: 'oui',
    Langue: 'français',
    Prix: '12 €',
  });
});

test('Bookpedia: series, loan, location, own fields', async () => {
  const house = await openHouse();
  const importation = await importFile(house, BOOKPEDIA, { themes: 'true' });
  expect(importation).toMatchObject({ format: 'bookpedia' });
  expect(countsOf(importation)).toMatchObject({
    nouveaux: 1,
    statuts: 1,
    prets: 1,
    series: 1,
    refuses: [],
  });
  const [quai] = await livresOf(house);
  expect(quai).toMatchObject({
    editeur: 'Seuil',
    annee: 2011,
    themes: ['Policier', 'Bretagne'],
    emplacementId: 1,
    pret: { emprunteur: 'Paul Renaud' },
    auteurs: [{ nom: 'Odile Vautrin' }, { nom: 'Jean Bar' }],
  });
  expect(quai && detailsOf(quai)).toEqual({
    Reliure: 'Broché',
    Résumé: 'Un port.',
    Traduction: 'Lise Marchand',
    Custom1: 'bleu',
  });
});
