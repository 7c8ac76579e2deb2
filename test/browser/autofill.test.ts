import { describe, expect, test } from 'vitest';
import { Autofill } from '$lib/livres/form/autofill';
import { LivreEntry } from '$lib/records/livres/entry.svelte';
import type { Candidat } from '#shared/recherche';

const candidat = (changes: Partial<Candidat> = {}): Candidat => ({
  source: 'bnf',
  titre: 'Désert',
  auteurs: ['J. M. G. Le Clézio'],
  editeur: 'Gallimard',
  annee: 1980,
  nombrePages: 410,
  isbn: '9782070408504',
  coverUrl: 'https://covers.example/desert.jpg',
  ...changes,
});

describe('filling a form from a catalogue record', () => {
  test('fills empty fields and leaves what the catalogues do not know', () => {
    const entry = new LivreEntry();
    entry.setText('format', 'Numerique');
    expect(new Autofill().fill(entry, candidat())).toEqual([]);
    expect(entry.toSaisie()).toMatchObject({
      titre: 'Désert',
      auteurs: ['J. M. G. Le Clézio'],
      editeur: 'Gallimard',
      annee: 1980,
      nombrePages: 410,
      format: 'Numerique',
    });
  });

  test('does not overwrite typed texts and names their fields', () => {
    const entry = new LivreEntry();
    entry.setText('titre', 'Désert (exemplaire dédicacé)');
    entry.setText('auteurs', 'Le Clézio');
    entry.setText('editeur', 'Gallimard');
    expect(new Autofill().fill(entry, candidat())).toEqual(['titre', 'auteurs']);
    expect(entry.text('titre')).toBe('Désert (exemplaire dédicacé)');
    expect(entry.toSaisie().auteurs).toEqual(['Le Clézio']);
    expect(entry.text('annee')).toBe('1980');
  });

  test('replaces an earlier record but not what was corrected in it', () => {
    const entry = new LivreEntry();
    const autofill = new Autofill();
    autofill.fill(entry, candidat());
    entry.setText('annee', '1981');
    const other = candidat({ editeur: 'Folio', annee: 2004, nombrePages: null });
    expect(autofill.fill(entry, other)).toEqual(['annee']);
    expect(entry.text('editeur')).toBe('Folio');
    expect(entry.text('annee')).toBe('1981');
    expect(entry.text('nombrePages')).toBe('');
  });

  test('proposes the kind of document that the record tells, and takes it back with the record', () => {
    const entry = new LivreEntry();
    const autofill = new Autofill();
    autofill.fill(entry, candidat({ typeDocument: 'BandeDessinee' }));
    expect(entry.text('typeDocument')).toBe('BandeDessinee');
    entry.setText('editeur', 'Folio');
    autofill.clear(entry);
    expect(entry.text('typeDocument')).toBe('NonPrecise');
    expect(entry.text('titre')).toBe('');
    expect(entry.text('editeur')).toBe('Folio');
  });

  test('leaves the kind of document that was chosen', () => {
    const entry = new LivreEntry();
    entry.setText('typeDocument', 'Roman');
    const kept = new Autofill().fill(entry, candidat({ typeDocument: 'BandeDessinee' }));
    expect(kept).toEqual(['typeDocument']);
    expect(entry.text('typeDocument')).toBe('Roman');
  });

  test('what is filled in is no longer told to be wrong', () => {
    const entry = new LivreEntry();
    entry.setText('annee', 'deux');
    entry.check();
    expect(Object.keys(entry.errors)).toEqual(['titre', 'annee']);
    new Autofill().fill(entry, candidat());
    expect(Object.keys(entry.errors)).toEqual(['annee']);
  });
});
