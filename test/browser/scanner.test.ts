import { afterEach, describe, expect, test } from 'vitest';
import { Constance } from '$lib/scanner/constance';
import { decodeurDuNavigateur } from '$lib/scanner/decodeur-navigateur';
import { ouvrirZxing } from '$lib/scanner/decodeur-zxing';
import { backOfBook } from '../support/ean13.ts';

const CODE = '9782070408504';
const AUTRE = '9782948012017';

/** A grey picture on a canvas, turned by so many degrees. */
function toile(code: string | null, degres = 0): HTMLCanvasElement {
  const { width, height, pixels } = backOfBook(code);
  const plate = new OffscreenCanvas(width, height);
  const image = new ImageData(width, height);
  pixels.forEach((gris, i) => image.data.set([gris, gris, gris, 255], i * 4));
  plate.getContext('2d')?.putImageData(image, 0, 0);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 800;
  const contexte = canvas.getContext('2d', { willReadFrequently: true });
  contexte?.translate(400, 400);
  contexte?.rotate((degres * Math.PI) / 180);
  contexte?.drawImage(plate, -width / 2, -height / 2);
  return canvas;
}

describe('the reader that the application brings along', () => {
  test.each([0, 12, -15, 90, 180, 270])('reads a code at %i degrees', async (degres) => {
    const decodeur = await ouvrirZxing();
    expect(await decodeur.lire(toile(CODE, degres))).toEqual([CODE]);
  });

  test('finds nothing where there is nothing', async () => {
    const decodeur = await ouvrirZxing();
    expect(await decodeur.lire(toile(null))).toEqual([]);
  });

  test('is served by this origin', async () => {
    await ouvrirZxing();
    const demandes = performance.getEntriesByType('resource').map(({ name }) => name);
    expect(demandes.some((name) => name.includes('zxing_reader'))).toBe(true);
    expect(demandes.filter((name) => new URL(name).origin !== location.origin)).toEqual([]);
  });
});

describe('the reader of the browser', () => {
  afterEach(() => {
    delete window.BarcodeDetector;
  });

  const installer = (formats: readonly string[]) => {
    window.BarcodeDetector = class {
      static getSupportedFormats = () => Promise.resolve(formats);
      detect = () => Promise.resolve([{ rawValue: CODE }]);
    };
  };

  test('is taken where it knows the codes of books', async () => {
    installer(['qr_code', 'ean_13']);
    const decodeur = await decodeurDuNavigateur();
    expect(await decodeur?.lire(toile(CODE))).toEqual([CODE]);
  });

  test('is left where it does not, or where there is none', async () => {
    expect(await decodeurDuNavigateur()).toBeNull();
    installer(['qr_code']);
    expect(await decodeurDuNavigateur()).toBeNull();
  });
});

describe('what the camera goes on seeing', () => {
  test('counts from the second picture on, and once', () => {
    const constance = new Constance();
    expect(constance.voir([CODE])).toEqual([]);
    expect(constance.voir([CODE, CODE])).toEqual([CODE]);
    expect(constance.voir([CODE])).toEqual([]);
    expect(constance.voir([])).toEqual([]);
    expect(constance.voir([CODE])).toEqual([]);
  });

  test('is not a code that one picture misread', () => {
    const constance = new Constance();
    const images = [[CODE], [AUTRE], [CODE], [AUTRE], []];
    expect(images.flatMap((codes) => constance.voir(codes))).toEqual([]);
  });

  test('counts again after it was away for a while', () => {
    const constance = new Constance();
    const vus = [
      ...[[CODE], [CODE]],
      ...Array.from({ length: 12 }, () => []),
      ...[[CODE], [CODE]],
    ].flatMap((codes: string[]) => constance.voir(codes));
    expect(vus).toEqual([CODE, CODE]);
  });
});
