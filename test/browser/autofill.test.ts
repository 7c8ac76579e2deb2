import { describe, expect, test } from 'vitest';
import { LivreEntry } from '$lib/records/livres/kind.svelte';
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
  test('fills empty fields with what the catalogues know', () => {
    const entry = new LivreEntry();
    expect(entry.autofill(candidat(), null)).toEqual([]);
    expect(entry.toSaisie()).toMatchObject({
      titre: 'Désert',
      auteurs: ['J. M. G. Le Clézio'],
      editeur: 'Gallimard',
      annee: 1980,
      nombrePages: 410,
    });
  });

  test('gives an ebook no pages, whenever its format is chosen', () => {
    const before = new LivreEntry();
    before.setText('format', 'Numerique');
    expect(before.autofill(candidat(), null)).toEqual([]);
    expect(before.toSaisie()).toMatchObject({ titre: 'Désert', nombrePages: null });

    const after = new LivreEntry();
    after.autofill(candidat(), null);
    after.setText('format', 'Numerique');
    expect(after.toSaisie().nombrePages).toBe(null);
    after.setText('format', 'Physique');
    expect(after.toSaisie().nombrePages).toBe(410);
  });

  test('leaves an ebook the pages that a person wrote', () => {
    const entry = new LivreEntry();
    entry.autofill(candidat(), null);
    entry.setText('nombrePages', '300');
    entry.setText('format', 'Numerique');
    expect(entry.toSaisie().nombrePages).toBe(300);
  });

  test('does not overwrite typed texts and names their fields', () => {
    const entry = new LivreEntry();
    entry.setText('titre', 'Désert (exemplaire dédicacé)');
    entry.setText('auteurs', 'Le Clézio');
    entry.setText('editeur', 'Gallimard');
    expect(entry.autofill(candidat(), null)).toEqual(['titre', 'auteurs']);
    expect(entry.text('titre')).toBe('Désert (exemplaire dédicacé)');
    expect(entry.toSaisie().auteurs).toEqual(['Le Clézio']);
    expect(entry.text('annee')).toBe('1980');
  });

  test('replaces an earlier record but keeps corrections of it', () => {
    const entry = new LivreEntry();
    entry.autofill(candidat(), null);
    entry.setText('annee', '1981');
    const other = candidat({ editeur: 'Folio', annee: 2004, nombrePages: null });
    expect(entry.autofill(other, null)).toEqual(['annee']);
    expect(entry.text('editeur')).toBe('Folio');
    expect(entry.text('annee')).toBe('1981');
    expect(entry.text('nombrePages')).toBe('');
  });

  test('sets the kind of document while its record stays', () => {
    const entry = new LivreEntry();
    entry.autofill(candidat({ typeDocument: 'BandeDessinee' }), null);
    expect(entry.text('typeDocument')).toBe('BandeDessinee');
    entry.setText('editeur', 'Folio');
    entry.clearPrefilled();
    expect(entry.text('typeDocument')).toBe('NonPrecise');
    expect(entry.text('titre')).toBe('');
    expect(entry.text('editeur')).toBe('Folio');
  });

  test('leaves the kind of document that was chosen', () => {
    const entry = new LivreEntry();
    entry.setText('typeDocument', 'Roman');
    const kept = entry.autofill(candidat({ typeDocument: 'BandeDessinee' }), null);
    expect(kept).toEqual(['typeDocument']);
    expect(entry.text('typeDocument')).toBe('Roman');
  });

  test('clears the errors of the fields it fills', () => {
    const entry = new LivreEntry();
    entry.setText('annee', 'deux');
    entry.check();
    expect(Object.keys(entry.errors)).toEqual(['titre', 'annee']);
    entry.autofill(candidat(), null);
    expect(Object.keys(entry.errors)).toEqual(['annee']);
  });
});
