import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { detectLanguage } from './detect-language.ts'
import { languages, nameLanguage } from './languages.ts'

/** As visitors write. */
const texts: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Hi, my visa expires tomorrow, please call me',
    'I am Priya. I want visa for my husband Rajesh. Kindly call. Namaste.',
    'My name is Nguyen Van An and I come from Ha Noi',
    'how much does it cost to bring my parents over',
    'My visa was refused 2 weeks ago. See https://example.com/página or ask joão@example.com, what can I do?',
  ],
  zh: ['你好,我想申请配偶签证', '謝謝您的回覆,我明天寄文件'],
  ja: ['ビザについて質問があります'],
  ko: ['안녕하세요, 비자 문의드립니다'],
  fa: ['سلام، ویزای من رد شد. چه کار کنم؟', 'لطفا با من تماس بگیرید'],
  ar: ['مرحبا، أريد التقديم على تأشيرة شريك', 'كم تكلفة التأشيرة؟'],
  ur: ['السلام علیکم، مجھے ویزا کے بارے میں پوچھنا ہے'],
  hi: ['नमस्ते, मुझे वीज़ा के बारे में जानकारी चाहिए', 'नमस्ते, मलाई भिसाको बारेमा जानकारी चाहिन्छ'],
  pa: ['ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਮੈਨੂੰ ਵੀਜ਼ਾ ਬਾਰੇ ਪੁੱਛਣਾ ਹੈ'],
  th: ['สวัสดีค่ะ อยากสอบถามเรื่องวีซ่า'],
  ta: ['வணக்கம், விசா பற்றி கேட்க வேண்டும்'],
  bn: ['নমস্কার, আমি ভিসা সম্পর্কে জানতে চাই'],
  vi: ['Xin chào, tôi muốn hỏi về visa', 'Cảm ơn anh chị, tôi sẽ gửi hồ sơ'],
  es: ['Me rechazaron la visa, ¿qué puedo hacer?', 'Hola, quiero saber cuánto cuesta la visa de pareja'],
  pt: ['Olá, gostaria de saber quanto custa o visto de trabalho'],
  fr: ['Bonjour, je voudrais un visa de travail pour mon mari'],
  de: ['Guten Tag, ich möchte ein Partnervisum beantragen'],
  it: ['Buongiorno, vorrei informazioni sul visto per mia moglie'],
  tl: ['Magandang araw po, gusto ko pong magtanong tungkol sa visa'],
  ms: ['Selamat pagi, saya ingin bertanya tentang visa untuk isteri saya'],
  ru: ['Здравствуйте, я хочу узнать о визе'],
  uk: ['Доброго дня, хочу дізнатися про візу'],
  tr: ['Merhaba, vize hakkında bilgi almak istiyorum'],
  pl: ['Dzień dobry, chciałbym zapytać o wizę'],
  el: ['Καλημέρα, θέλω πληροφορίες για τη βίζα'],
}

suite('The language of what a visitor wrote', () => {
  for (const [language, sentences] of Object.entries(texts))
    test(`${sentences.length} in ${language}`, () => {
      for (const sentence of sentences) assert.equal(detectLanguage(sentence), language, sentence)
    })

  test('of a few words, a name, a number or nothing, none is said', () => {
    for (const words of [
      ...['', 'ok', 'Thanks!', 'Hello', 'visa 482', 'Maria Gonzalez', 'John Smith 0412 345 678', 'Test test'],
      ...['URGENT!!!', 'https://example.com/', 'nadia@visitor.test', '???', 'ආයුබෝවන්', '😀😀😀😀😀'],
      'Dear Sir/Madam, kindly assist',
    ])
      assert.equal(detectLanguage(words), null, words)
  })

  test('each has a name in English, those that are taken for one another both of theirs', () => {
    for (const code of languages) assert.match(nameLanguage(code), /^[A-Z]\p{L}/u)
    assert.equal(nameLanguage('hi'), 'Hindi or Nepali')
  })
})
