/** Why there is no picture from the camera. */
export type CameraFailure = 'denied' | 'missing' | 'busy' | 'insecure' | 'stopped';

export class CameraUnavailable extends Error {
  readonly failure: CameraFailure;

  constructor(failure: CameraFailure, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}

const FAILURES: Readonly<Record<string, CameraFailure>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/**
 * Opens the camera at the back of the device until the signal is aborted.
 *
 * @throws CameraUnavailable
 */
export async function openCamera(signal: AbortSignal): Promise<MediaStream> {
  const stream = await requestCamera();
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  signal.throwIfAborted();
  return stream;
}

async function requestCamera(): Promise<MediaStream> {
  if (!isSecureContext || !('mediaDevices' in navigator)) throw new CameraUnavailable('insecure');
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: {
        facingMode: { ideal: 'environment' },
        width: { ideal: 1280 },
        height: { ideal: 720 },
      },
    });
  } catch (error) {
    throw new CameraUnavailable(FAILURES[nameOf(error)] ?? 'stopped', error);
  }
}

/** WebKit throws an OverconstrainedError that is no DOMException: only the name is common to all. */
const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
