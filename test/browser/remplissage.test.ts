import { describe, expect, test } from 'vitest';
import { Remplissage } from '$lib/recherche/remplissage';
import { SaisieLivre } from '$lib/ui/formulaire/saisie.svelte';
import type { Candidat } from '#shared/recherche';

const candidat = (autre: Partial<Candidat> = {}): Candidat => ({
  source: 'bnf',
  titre: 'Désert',
  auteurs: ['J. M. G. Le Clézio'],
  editeur: 'Gallimard',
  annee: 1980,
  nombrePages: 410,
  isbn: '9782070408504',
  coverUrl: 'https://covers.example/desert.jpg',
  ...autre,
});

describe('what the catalogues propose', () => {
  test('fills what is empty, and leaves what the catalogues do not know about', () => {
    const saisie = new SaisieLivre();
    saisie.format = 'Numerique';
    expect(new Remplissage().remplir(saisie, candidat())).toEqual([]);
    expect(saisie.enLivre()).toMatchObject({
      titre: 'Désert',
      auteurs: ['J. M. G. Le Clézio'],
      editeur: 'Gallimard',
      annee: 1980,
      nombrePages: 410,
      format: 'Numerique',
    });
  });

  test('does not run over what was typed, and tells which fields kept it', () => {
    const saisie = new SaisieLivre();
    saisie.titre = 'Désert (exemplaire dédicacé)';
    saisie.auteurEnCours = 'Le Clézio';
    saisie.editeur = 'Gallimard';
    expect(new Remplissage().remplir(saisie, candidat())).toEqual(['titre', 'auteurs']);
    expect(saisie.titre).toBe('Désert (exemplaire dédicacé)');
    expect(saisie.noms).toEqual(['Le Clézio']);
    expect(saisie.annee).toBe('1980');
  });

  test('gives way to another proposal, but not where it was corrected', () => {
    const saisie = new SaisieLivre();
    const remplissage = new Remplissage();
    remplissage.remplir(saisie, candidat());
    saisie.annee = '1981';
    const autre = candidat({ editeur: 'Folio', annee: 2004, nombrePages: null });
    expect(remplissage.remplir(saisie, autre)).toEqual(['annee']);
    expect(saisie.editeur).toBe('Folio');
    expect(saisie.annee).toBe('1981');
    expect(saisie.nombrePages).toBe('');
  });
});
