# blank: the exercise as released
