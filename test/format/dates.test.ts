import { describe, expect, it } from 'vitest';
import { ilYA, jour, moment, periode } from '../../src/lib/format/dates.ts';

/** A moment of the reader's own day, whatever the time zone of the machine. */
const le = (annee: number, mois: number, date: number, heure = 12, minute = 0) =>
  new Date(annee, mois - 1, date, heure, minute);

describe('how long ago', () => {
  const maintenant = le(2026, 11, 20, 9);
  it.each([
    [le(2026, 11, 20, 8), 'aujourd’hui'],
    [le(2026, 11, 20, 23), 'aujourd’hui'],
    [le(2026, 11, 19, 23, 59), 'hier'],
    [le(2026, 11, 18), 'avant-hier'],
    [le(2026, 11, 14), 'il y a 6 jours'],
    [le(2026, 11, 13), 'il y a 1 semaine'],
    [le(2026, 10, 29), 'il y a 3 semaines'],
    [le(2026, 10, 20), 'il y a 1 mois'],
    [le(2026, 5, 21), 'il y a 5 mois'],
    [le(2025, 11, 21), 'il y a 11 mois'],
    [le(2025, 11, 20), 'il y a 1 an'],
    [le(2023, 1, 1), 'il y a 3 ans'],
  ])('says %s as « %s »', (date, mots) => {
    expect(ilYA(date, maintenant)).toBe(mots);
  });
});

describe('days and periods', () => {
  it('counts the first of a month by its ordinal', () => {
    expect(jour(le(2026, 3, 1))).toBe('1er mars 2026');
    expect(jour(le(2026, 3, 11))).toBe('11 mars 2026');
  });

  it('says a year that both ends share once', () => {
    expect(periode(le(2026, 3, 3), le(2026, 4, 28))).toEqual({
      debut: '3 mars',
      fin: '28 avril 2026',
    });
    expect(periode(le(2025, 12, 24), le(2026, 1, 2)).debut).toBe('24 décembre 2025');
  });
});

describe('the last time that something was known', () => {
  const maintenant = le(2026, 11, 20, 9);
  it('gives the hour today and yesterday, the date before', () => {
    expect(moment(le(2026, 11, 20, 8, 5), maintenant)).toEqual({
      quand: 'aujourdhui',
      heure: '8 h 05',
    });
    expect(moment(le(2026, 11, 19, 14, 32), maintenant)).toEqual({
      quand: 'hier',
      heure: '14 h 32',
    });
    expect(moment(le(2026, 3, 3, 14, 32), maintenant)).toEqual({
      quand: 'date',
      heure: '14 h 32',
      jour: '3 mars',
    });
    expect(moment(le(2025, 3, 3, 14, 32), maintenant)).toMatchObject({ jour: '3 mars 2025' });
  });
});
