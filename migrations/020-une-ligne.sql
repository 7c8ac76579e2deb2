-- A text of one line that came in with line breaks or other control characters: they become one blank.
-- Columns that follow from it are renewed by the start-up pass; a text that holds nothing else stays.

UPDATE OR IGNORE Auteur SET nom = une_ligne(nom), formePleine = une_ligne(formePleine)
WHERE une_ligne(nom) IS NOT nom OR une_ligne(formePleine) IS NOT formePleine;

UPDATE OR IGNORE Livre SET titre = une_ligne(titre), editeur = une_ligne(editeur)
WHERE une_ligne(titre) IS NOT titre OR une_ligne(editeur) IS NOT editeur;

UPDATE OR IGNORE Pret SET emprunteur = une_ligne(emprunteur)
WHERE une_ligne(emprunteur) IS NOT emprunteur;

UPDATE OR IGNORE Souhait SET titre = une_ligne(titre), auteur = une_ligne(auteur)
WHERE une_ligne(titre) IS NOT titre OR une_ligne(auteur) IS NOT auteur;

UPDATE OR IGNORE RevueSouhaitee SET titre = une_ligne(titre), numero = une_ligne(numero)
WHERE une_ligne(titre) IS NOT titre OR une_ligne(numero) IS NOT numero;

UPDATE OR IGNORE Serie SET titre = une_ligne(titre)
WHERE une_ligne(titre) IS NOT titre;

UPDATE OR IGNORE Place SET titre = une_ligne(titre), numero = une_ligne(numero), auteur = une_ligne(auteur)
WHERE une_ligne(titre) IS NOT titre OR une_ligne(numero) IS NOT numero OR une_ligne(auteur) IS NOT auteur;

UPDATE OR IGNORE Revue SET titre = une_ligne(titre)
WHERE une_ligne(titre) IS NOT titre;

UPDATE OR IGNORE Numero SET numero = une_ligne(numero), date = une_ligne(date)
WHERE une_ligne(numero) IS NOT numero OR une_ligne(date) IS NOT date;

UPDATE OR IGNORE Theme SET nom = une_ligne(nom)
WHERE une_ligne(nom) IS NOT nom;

UPDATE OR IGNORE Article SET titre = une_ligne(titre)
WHERE une_ligne(titre) IS NOT titre;
