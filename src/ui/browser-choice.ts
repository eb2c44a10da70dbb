import { useSyncExternalStore } from 'react'

/** A choice of the person at this browser that is on until they switch it off. It lives in `localStorage`, where there is access to it. */
export function browserChoice(key: string) {
  let isOnHere = true
  function read(): boolean {
    try {
      return localStorage.getItem(key) !== 'off'
    } catch {
      return isOnHere
    }
  }
  function set(isOn: boolean): void {
    isOnHere = isOn
    try {
      localStorage.setItem(key, isOn ? 'on' : 'off')
    } catch {
      // Until the next reload.
    }
    // The browser itself notifies only the other tabs.
    dispatchEvent(new StorageEvent('storage'))
  }
  const use = (): [isOn: boolean, set: (isOn: boolean) => void] => [
    useSyncExternalStore(subscribe, read),
    set,
  ]
  return { read, use }
}

function subscribe(onChange: () => void): () => void {
  addEventListener('storage', onChange)
  return () => removeEventListener('storage', onChange)
}
