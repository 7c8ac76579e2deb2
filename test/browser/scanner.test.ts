import { afterEach, describe, expect, test, vi } from 'vitest';
import { Beep, openCamera, Sightings } from '../../src/lib/scanner/camera.ts';
import { openNativeDecoder } from '../../src/lib/scanner/decoder.ts';
import { openZxingDecoder } from '$lib/scanner/zxing-decoder';
import { backOfBook } from '../support/ean13.ts';

const CODE = '9782070408504';
const OTHER = '9782948012017';

/** A grey picture on a canvas, rotated by some degrees. */
function canvasOf(code: string | null, degrees = 0): HTMLCanvasElement {
  const { width, height, pixels } = backOfBook(code);
  const offscreen = new OffscreenCanvas(width, height);
  const image = new ImageData(width, height);
  pixels.forEach((grey, i) => image.data.set([grey, grey, grey, 255], i * 4));
  offscreen.getContext('2d')?.putImageData(image, 0, 0);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 800;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context?.translate(400, 400);
  context?.rotate((degrees * Math.PI) / 180);
  context?.drawImage(offscreen, -width / 2, -height / 2);
  return canvas;
}

describe('the bundled decoder', () => {
  test.each([0, 12, -15, 90, 180, 270])('reads a code at %i degrees', async (degrees) => {
    const decoder = await openZxingDecoder();
    expect(await decoder.decode(canvasOf(CODE, degrees))).toEqual([CODE]);
  });

  test('finds nothing where there is nothing', async () => {
    const decoder = await openZxingDecoder();
    expect(await decoder.decode(canvasOf(null))).toEqual([]);
  });

  test('is served by this origin', async () => {
    await openZxingDecoder();
    const requests = performance.getEntriesByType('resource').map(({ name }) => name);
    expect(requests.some((name) => name.includes('zxing_reader'))).toBe(true);
    expect(requests.filter((name) => new URL(name).origin !== location.origin)).toEqual([]);
  });
});

describe('the native decoder', () => {
  afterEach(() => {
    delete window.BarcodeDetector;
  });

  const install = (formats: readonly string[]) => {
    window.BarcodeDetector = class {
      static getSupportedFormats = () => Promise.resolve(formats);
      detect = () => Promise.resolve([{ rawValue: CODE }]);
    };
  };

  test('is used when it knows EAN-13', async () => {
    install(['qr_code', 'ean_13']);
    const decoder = await openNativeDecoder();
    expect(await decoder?.decode(canvasOf(CODE))).toEqual([CODE]);
  });

  test('is not used where it does not know EAN-13', async () => {
    expect(await openNativeDecoder()).toBeNull();
    install(['qr_code']);
    expect(await openNativeDecoder()).toBeNull();
  });
});

describe('a code in sight of the camera', () => {
  test('counts once, from the second picture on', () => {
    const sightings = new Sightings();
    expect(sightings.add([CODE])).toEqual([]);
    expect(sightings.add([CODE, CODE])).toEqual([CODE]);
    expect(sightings.add([CODE])).toEqual([]);
    expect(sightings.add([])).toEqual([]);
    expect(sightings.add([CODE])).toEqual([]);
  });

  test('does not count when only one picture shows it', () => {
    const sightings = new Sightings();
    const pictures = [[CODE], [OTHER], [CODE], [OTHER], []];
    expect(pictures.flatMap((codes) => sightings.add(codes))).toEqual([]);
  });

  test('counts again after some time out of sight', () => {
    const sightings = new Sightings();
    const seen = [[CODE], [CODE], ...Array.from({ length: 12 }, () => []), [CODE], [CODE]].flatMap(
      (codes: string[]) => sightings.add(codes),
    );
    expect(seen).toEqual([CODE, CODE]);
  });
});

describe('a camera that cannot be opened', () => {
  afterEach(() => vi.restoreAllMocks());

  /** WebKit rejects with an object that is no DOMException. */
  class OverconstrainedError {
    readonly name = 'OverconstrainedError';
  }

  test.each([
    [new DOMException('', 'NotAllowedError'), 'denied'],
    [new DOMException('', 'NotFoundError'), 'missing'],
    [new OverconstrainedError(), 'missing'],
    [new DOMException('', 'NotReadableError'), 'busy'],
    [new Error('unknown'), 'stopped'],
  ])('rejects with its reason: %s', async (cause, failure) => {
    vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockRejectedValue(cause);
    await expect(openCamera(new AbortController().signal)).rejects.toMatchObject({ failure });
  });
});

describe('the beep', () => {
  /** An audio context that is suspended, as browsers do, until `wake`. */
  function sleepingAudio() {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let state: AudioContextState = 'suspended';
    vi.spyOn(AudioContext.prototype, 'state', 'get').mockImplementation(() => state);
    vi.spyOn(AudioContext.prototype, 'resume').mockImplementation(() => promise);
    const start = vi.spyOn(OscillatorNode.prototype, 'start');
    const wake = () => {
      state = 'running';
      resolve(undefined);
      return promise;
    };
    return { started: start.mock.calls, wake };
  }

  test('sounds for the first code, too, which finds the audio asleep', async () => {
    const { started, wake } = sleepingAudio();
    const beep = new Beep();
    beep.play();
    expect(started).toEqual([]);
    await wake();
    await expect.poll(() => started).toHaveLength(1);
    beep.close();
  });

  test('does not play a late sound after the browser has blocked it', async () => {
    const { started, wake } = sleepingAudio();
    const beep = new Beep();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1000);
    beep.play();
    clock.mockReturnValue(3000);
    await wake();
    beep.play();
    await expect.poll(() => started).toHaveLength(1);
    beep.close();
  });
});
