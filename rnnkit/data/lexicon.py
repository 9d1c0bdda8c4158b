"""Words that several generated sets share: (singular, plural), and verb forms."""

PEOPLE = (
    ("writer", "writers"),
    ("doctor", "doctors"),
    ("teacher", "teachers"),
    ("farmer", "farmers"),
    ("painter", "painters"),
    ("driver", "drivers"),
    ("singer", "singers"),
    ("nurse", "nurses"),
    ("baker", "bakers"),
    ("pilot", "pilots"),
    ("lawyer", "lawyers"),
    ("student", "students"),
    ("guard", "guards"),
    ("dancer", "dancers"),
    ("sailor", "sailors"),
    ("child", "children"),
    ("woman", "women"),
    ("man", "men"),
    ("neighbour", "neighbours"),
    ("tailor", "tailors"),
)

THINGS = (
    ("book", "books"),
    ("key", "keys"),
    ("letter", "letters"),
    ("map", "maps"),
    ("lamp", "lamps"),
    ("chair", "chairs"),
    ("picture", "pictures"),
    ("table", "tables"),
    ("cup", "cups"),
    ("bottle", "bottles"),
    ("basket", "baskets"),
    ("clock", "clocks"),
    ("garden", "gardens"),
    ("window", "windows"),
    ("door", "doors"),
    ("boat", "boats"),
    ("bridge", "bridges"),
    ("tree", "trees"),
    ("horse", "horses"),
    ("house", "houses"),
)

# What a person does to another: (with a singular subject, with a plural one).
TRANSITIVE = (
    ("sees", "see"),
    ("likes", "like"),
    ("knows", "know"),
    ("helps", "help"),
    ("hears", "hear"),
    ("admires", "admire"),
    ("follows", "follow"),
    ("remembers", "remember"),
)

ADJECTIVES = ("old", "young", "tall", "quiet", "clever", "famous", "strong", "tired")
