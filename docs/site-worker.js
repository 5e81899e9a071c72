/* Browsers start no workers for pages from the disk, and the site's search is one. Here a hidden frame runs the worker's script instead. */
if (location.protocol === 'file:') {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super()
      const frame = document.createElement('iframe')
      frame.hidden = true
      document.body.append(frame)
      this.inside = frame.contentWindow
      this.inside.postMessage = (data) => this.tell(data)
      const script = frame.contentDocument.createElement('script')
      script.src = new URL(address, location.href).href
      this.ready = new Promise((done) => script.addEventListener('load', done))
      frame.contentDocument.body.append(script)
    }

    /** What the worker says. */
    tell(data) {
      const event = new MessageEvent('message', { data })
      this.dispatchEvent(event)
      this.onmessage?.(event)
    }

    /** What is said to it, once it listens. */
    async postMessage(data) {
      await this.ready
      this.inside.dispatchEvent(new this.inside.MessageEvent('message', { data }))
    }
  }
}
