import { openZxingDecoder } from '../../src/lib/scanner/zxing-decoder.ts';
import { modules } from '../../test/support/ean13.ts';

const inPage = { read };
export { inPage as decoding };

declare global {
  var decoding: typeof inPage;
}

/** The size to which the camera's picture is cut and scaled (src/lib/scanner/camera.ts). */
const WIDTH = 1024;
const HEIGHT = 720;

async function read(code: string | null, degrees: number, rounds: number) {
  const decoder = await openZxingDecoder();
  const image = backOfBook(code, degrees);
  const times: number[] = [];
  let found: readonly string[] = [];
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now();
    found = await decoder.decode(image);
    times.push(performance.now() - begin);
  }
  return { times, found };
}

function backOfBook(code: string | null, degrees: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('no canvas');
  context.fillStyle = '#d9d2c4';
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = '#3a352d';
  context.font = '22px serif';
  for (let y = 40; y < 260; y += 30)
    context.fillText('Au dos de ce livre, quelques lignes qui en disent le sujet.', 60, y);
  context.translate(WIDTH / 2, HEIGHT * 0.68);
  context.rotate((degrees * Math.PI) / 180);
  context.fillStyle = '#fbfaf6';
  context.fillRect(-190, -95, 380, 190);
  context.fillStyle = '#1b1917';
  Array.from(code === null ? '' : modules(code)).forEach((module, i) => {
    if (module === '1') context.fillRect(i * 3 - 142, -75, 3, 150);
  });
  addGrain(context);
  return canvas;
}

/** Noise from a linear congruential generator: the same in each run. */
function addGrain(context: CanvasRenderingContext2D): void {
  const picture = context.getImageData(0, 0, WIDTH, HEIGHT);
  let seed = 7;
  for (let i = 0; i < picture.data.length; i += 4) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    const grain = (seed >>> 24) / 8 - 16;
    for (let c = i; c < i + 3; c++) picture.data[c] = (picture.data[c] ?? 0) + grain;
  }
  context.putImageData(picture, 0, 0);
}
