"""Which script (Latin, Greek, Han ...) a character belongs to."""

import bisect
import functools

# Where each run of characters of one script begins, in hexadecimal, and the
# script: the property Script of Unicode 14. Marks and places without a
# character have no run of their own; they count with what stands before them.
_RUNS = """
0 Common 41 Latin 5B Common 61 Latin 7B Common AA Latin AB Common BA Latin BB Common C0 Latin D7
Common D8 Latin F7 Common F8 Latin 2B9 Common 2E0 Latin 2E5 Common 2EA Bopomofo 2EC Common 370
Greek 374 Common 375 Greek 37E Common 37F Greek 385 Common 386 Greek 387 Common 388 Greek 3E2
Coptic 3F0 Greek 400 Cyrillic 531 Armenian 5BE Hebrew 600 Arabic 605 Common 606 Arabic 60C Common
60D Arabic 61B Common 61C Arabic 61F Common 620 Arabic 640 Common 641 Arabic 6DD Common 6DE Arabic
700 Syriac 750 Arabic 780 Thaana 7C0 Nko 800 Samaritan 840 Mandaic 860 Syriac 870 Arabic 8E2
Common 904 Devanagari 964 Common 966 Devanagari 980 Bengali A05 Gurmukhi A85 Gujarati B05 Oriya
B83 Tamil C05 Telugu C80 Kannada D04 Malayalam D85 Sinhala E01 Thai E3F Common E40 Thai E81 Lao
F00 Tibetan FD5 Common FD9 Tibetan 1000 Myanmar 10A0 Georgian 10FB Common 10FC Georgian 1100
Hangul 1200 Ethiopic 13A0 Cherokee 1400 Canadian 1681 Ogham 16A0 Runic 16EB Common 16EE Runic 1700
Tagalog 1720 Hanunoo 1735 Common 1740 Buhid 1760 Tagbanwa 1780 Khmer 1800 Mongolian 1802 Common
1804 Mongolian 1805 Common 1806 Mongolian 18B0 Canadian 1900 Limbu 1950 Tai_Le 1980 New_Tai_Lue
19E0 Khmer 1A00 Buginese 1A20 Tai_Tham 1B05 Balinese 1B83 Sundanese 1BC0 Batak 1C00 Lepcha 1C50
Ol_Chiki 1C80 Cyrillic 1C90 Georgian 1CC0 Sundanese 1CD3 Common 1D00 Latin 1D26 Greek 1D2B
Cyrillic 1D2C Latin 1D5D Greek 1D62 Latin 1D66 Greek 1D6B Latin 1D78 Cyrillic 1D79 Latin 1DBF
Greek 1E00 Latin 1F00 Greek 200B Common 2071 Latin 2074 Common 207F Latin 2080 Common 2090 Latin
20A0 Common 2126 Greek 2127 Common 212A Latin 212C Common 2132 Latin 2133 Common 214E Latin 214F
Common 2160 Latin 2189 Common 2800 Braille 2900 Common 2C00 Glagolitic 2C60 Latin 2C80 Coptic 2D00
Georgian 2D30 Tifinagh 2D80 Ethiopic 2E00 Common 2E80 Han 2FF0 Common 3005 Han 3006 Common 3007
Han 3008 Common 3021 Han 3030 Common 3038 Han 303C Common 3041 Hiragana 309B Common 309D Hiragana
30A0 Common 30A1 Katakana 30FB Common 30FD Katakana 3105 Bopomofo 3131 Hangul 3190 Common 31A0
Bopomofo 31C0 Common 31F0 Katakana 3200 Hangul 3220 Common 3260 Hangul 327F Common 32D0 Katakana
32FF Common 3300 Katakana 3358 Common 3400 Han 4DC0 Common 4E00 Han A000 Yi A4D0 Lisu A500 Vai
A640 Cyrillic A6A0 Bamum A700 Common A722 Latin A788 Common A78B Latin A800 Syloti_Nagri A830
Common A840 Phags_Pa A882 Saurashtra A8F2 Devanagari A900 Kayah_Li A92E Common A92F Kayah_Li A930
Rejang A960 Hangul A984 Javanese A9CF Common A9D0 Javanese A9E0 Myanmar AA00 Cham AA60 Myanmar
AA80 Tai_Viet AAE0 Meetei_Mayek AB01 Ethiopic AB30 Latin AB5B Common AB5C Latin AB65 Greek AB66
Latin AB6A Common AB70 Cherokee ABC0 Meetei_Mayek AC00 Hangul F900 Han FB00 Latin FB13 Armenian
FB1D Hebrew FB50 Arabic FD3E Common FD40 Arabic FE10 Common FE70 Arabic FEFF Common FF21 Latin
FF3B Common FF41 Latin FF5B Common FF66 Katakana FF70 Common FF71 Katakana FF9E Common FFA0 Hangul
FFE0 Common 10000 Linear_B 10100 Common 10140 Greek 10190 Common 101A0 Greek 101D0 Common 10280
Lycian 102A0 Carian 102E1 Common 10300 Old_Italic 10330 Gothic 10350 Old_Permic 10380 Ugaritic
103A0 Old_Persian 10400 Deseret 10450 Shavian 10480 Osmanya 104B0 Osage 10500 Elbasan 10530
Caucasian_Albanian 10570 Vithkuqi 10600 Linear_A 10780 Latin 10800 Cypriot 10840 Imperial_Aramaic
10860 Palmyrene 10880 Nabataean 108E0 Hatran 10900 Phoenician 10920 Lydian 10980
Meroitic_Hieroglyphic 109A0 Meroitic_Cursive 10A00 Kharoshthi 10A60 Old_South_Arabian 10A80
Old_North_Arabian 10AC0 Manichaean 10B00 Avestan 10B40 Inscriptional_Parthian 10B60
Inscriptional_Pahlavi 10B80 Psalter_Pahlavi 10C00 Old_Turkic 10C80 Old_Hungarian 10D00
Hanifi_Rohingya 10E60 Arabic 10E80 Yezidi 10F00 Old_Sogdian 10F30 Sogdian 10F70 Old_Uyghur 10FB0
Chorasmian 10FE0 Elymaic 11003 Brahmi 11083 Kaithi 110D0 Sora_Sompeng 11103 Chakma 11150 Mahajani
11183 Sharada 111E1 Sinhala 11200 Khojki 11280 Multani 112B0 Khudawadi 11305 Grantha 11400 Newa
11480 Tirhuta 11580 Siddham 11600 Modi 11660 Mongolian 11680 Takri 11700 Ahom 11800 Dogra 118A0
Warang_Citi 11900 Dives_Akuru 119A0 Nandinagari 11A00 Zanabazar_Square 11A50 Soyombo 11AB0
Canadian 11AC0 Pau_Cin_Hau 11C00 Bhaiksuki 11C70 Marchen 11D00 Masaram_Gondi 11D60 Gunjala_Gondi
11EE0 Makasar 11FB0 Lisu 11FC0 Tamil 12000 Cuneiform 12F90 Cypro_Minoan 13000 Egyptian 14400
Anatolian 16800 Bamum 16A40 Mro 16A70 Tangsa 16AD0 Bassa_Vah 16B00 Pahawh_Hmong 16E40 Medefaidrin
16F00 Miao 16FE0 Tangut 16FE1 Nushu 16FE2 Han 17000 Tangut 18B00 Khitan 18D00 Tangut 1AFF0
Katakana 1B001 Hiragana 1B120 Katakana 1B150 Hiragana 1B164 Katakana 1B170 Nushu 1BC00 Duployan
1BCA0 Common 1D200 Greek 1D2E0 Common 1D800 SignWriting 1DF00 Latin 1E100 Nyiakeng_Puachue_Hmong
1E290 Toto 1E2C0 Wancho 1E7E0 Ethiopic 1E800 Mende_Kikakui 1E900 Adlam 1EC71 Common 1EE00 Arabic
1F000 Common 1F200 Hiragana 1F201 Common 20000 Han E0001 Common
"""


@functools.cache
def _table() -> tuple[list[int], list[str]]:
    fields = _RUNS.split()
    return [int(start, 16) for start in fields[::2]], fields[1::2]


def script_of(character: str) -> str:
    """The script of a character that is no mark; "Common" for digits and punctuation.

    Args:
        character: One character.

    Example:

    >>> script_of("δ"), script_of("7")
    ('Greek', 'Common')
    """
    starts, scripts = _table()
    return scripts[bisect.bisect_right(starts, ord(character)) - 1]
